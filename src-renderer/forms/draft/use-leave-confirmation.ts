import { useCallback, useRef } from 'react';
import { useLeaveBlocker } from '../leave-blocker.tsx';
import { useConfirmLeaveOnce, useUnloadGuard } from '../use-leave-guard.ts';

/** Addresses within the page: going there loses nothing. */
type IsInside = (pathname: string, from: string) => boolean;
const isSamePage: IsInside = (pathname, from) => pathname === from;

/**
 * Asks before typed text is lost, however the page is left, also while a save is under way.
 * @param onLeave discards what leaving loses
 * @returns a function that lets the page go without asking, once everything is stored
 */
export function useLeaveConfirmation(isGuarded: boolean, isInside = isSamePage, onLeave?: () => void): () => void {
  // Read when the page is left, which may be before it is drawn again.
  const isLetGo = useRef(false);
  const confirmLeave = useConfirmLeaveOnce();
  useLeaveBlocker({
    blocks: ({ currentLocation, nextLocation }) =>
      isGuarded && !isLetGo.current && !isInside(nextLocation.pathname, currentLocation.pathname),
    confirm: confirmLeave,
    onLeave,
  });
  useUnloadGuard(isGuarded);
  return useCallback(() => {
    isLetGo.current = true;
  }, []);
}
