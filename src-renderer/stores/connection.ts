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
  /** When the stream is retried; null while it is up, and where the window handles that. */
  retry: Retry | null;
  /** Whether the panel answered its last probe. False = changes are refused already here. */
  isReachable: boolean;
  /** Set when a call was refused because the session ended: the page asks for a sign-in in place. */
  isSignedOut: boolean;
  /** Whether the panel has answered a signed-in admin since the page was loaded. */
  wasSignedIn: boolean;
  setSocket: (isUp: boolean, retry: Retry | null) => void;
  setReachable: (isReachable: boolean) => void;
  /** Probes the panel until it answers. Called when that is in doubt. */
  doubt: () => void;
  setSignedOut: (isSignedOut: boolean) => void;
  markSignedIn: () => void;
}

/** State of this window's connection to its panel. */
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
