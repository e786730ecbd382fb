/** @returns a check that calls `onBack` when the network is up and was down at the check before. */
export function createNetworkWatch(isOnline: () => boolean, onBack: () => void): () => void {
  let was = isOnline();
  return () => {
    const is = isOnline();
    if (is && !was) onBack();
    was = is;
  };
}
