/** The message port to the process with a window that started this one. */
export interface ParentPort {
  post(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
}

/** What a utility process of the desktop application finds on `process`. */
interface UtilityPort {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (event: { data: unknown }) => void): void;
}

/** The port of a utility process, or the channel to a parent under plain Node. Null when there is none. */
export function findParentPort(): ParentPort | null {
  const utility = (process as { parentPort?: UtilityPort }).parentPort;
  if (utility !== undefined)
    return {
      post: (message) => utility.postMessage(message),
      onMessage: (listener) => utility.on('message', ({ data }) => listener(data)),
    };
  if (!process.connected) return null;
  return {
    post(message) {
      // If the parent ended meanwhile, the stop request notices.
      if (process.connected) process.send?.(message);
    },
    onMessage: (listener) => process.on('message', listener),
  };
}
