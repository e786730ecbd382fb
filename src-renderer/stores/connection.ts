import { create } from 'zustand';

/** The next attempt to open the live stream. */
export interface Retry {
  /** Ms since the epoch. */
  atMs: number;
  /** Tries at once instead. */
  now: () => void;
}

interface Connection {
  /** Whether the live stream is up; null before the first attempt ended. */
  isSocketUp: boolean | null;
  /** When the stream is tried again; null while it is up, and where the window itself sees to that. */
  retry: Retry | null;
  /** Whether the panel answered when it was last asked. False = changes are refused here already. */
  isReachable: boolean;
  /** Set when a call was refused because the session ended: the page asks to sign in in place. */
  isSignedOut: boolean;
  /** Whether the panel has answered a signed-in admin since the page was loaded. */
  wasSignedIn: boolean;
  setSocket: (isUp: boolean, retry: Retry | null) => void;
  setReachable: (isReachable: boolean) => void;
  /** Asks the panel whether it answers, and again until it does. Called when it may not. */
  doubt: () => void;
  setSignedOut: (isSignedOut: boolean) => void;
  markSignedIn: () => void;
}

/** How this window stands with its panel. */
export const useConnection = create<Connection>((set, get) => ({
  isSocketUp: null,
  retry: null,
  isReachable: true,
  isSignedOut: false,
  wasSignedIn: false,
  doubt: () => undefined,
  setSocket: (isSocketUp, retry) => set({ isSocketUp, retry }),
  setReachable: (isReachable) => set({ isReachable }),
  setSignedOut: (isSignedOut) => set({ isSignedOut }),
  markSignedIn: () => {
    if (!get().wasSignedIn) set({ wasSignedIn: true });
  },
}));
