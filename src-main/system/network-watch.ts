/** @returns a look: calls `onBack` when the network is there and was not at the look before. */
export function createNetworkWatch(isOnline: () => boolean, onBack: () => void): () => void {
  let was = isOnline();
  return () => {
    const is = isOnline();
    if (is && !was) onBack();
    was = is;
  };
}
