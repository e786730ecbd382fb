import { create } from 'zustand';

interface Connection {
  /** Whether the live stream is up; null before the first attempt ended. */
  isSocketUp: boolean | null;
  /** Set when a call was refused because the session ended: the page asks to sign in in place. */
  isSignedOut: boolean;
  setSocket: (isUp: boolean) => void;
  setSignedOut: (isSignedOut: boolean) => void;
}

/** How this window stands with its panel. */
export const useConnection = create<Connection>((set) => ({
  isSocketUp: null,
  isSignedOut: false,
  setSocket: (isSocketUp) => set({ isSocketUp }),
  setSignedOut: (isSignedOut) => set({ isSignedOut }),
}));
