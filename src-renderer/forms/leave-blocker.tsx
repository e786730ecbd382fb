import { useCallback, useEffect, useRef } from 'react';
import { Outlet, useBlocker, useNavigate, type BlockerFunction } from 'react-router';

/** Something on show that loses what was typed when the address changes. */
interface LeaveBlocker {
  /** Whether this change of the address would lose something. */
  blocks: BlockerFunction;
  confirm: (leave: () => void, stay: () => void) => void;
  /** Discards what leaving loses. */
  onLeave?: (() => void) | undefined;
}

/** All on show, the newest last. */
const blockers = new Set<() => LeaveBlocker>();

/** Asks before the address changes. */
export function useLeaveBlocker(blocker: LeaveBlocker): void {
  // Read when the address changes: what blocks stays the same blocker while text is typed and saved.
  const latest = useRef(blocker);
  useEffect(() => {
    latest.current = blocker;
  });
  useEffect(() => {
    const read = (): LeaveBlocker => latest.current;
    blockers.add(read);
    return () => void blockers.delete(read);
  }, []);
}

/**
 * The route around all pages. A router asks only the newest of several blockers: those of a page and of the dialog over
 * it share this one. One question is asked for all that would lose something.
 */
export function BlockedPages() {
  const lost = useRef<LeaveBlocker[]>([]);
  const blocked = useBlocker(
    useCallback<BlockerFunction>((move) => {
      lost.current = [...blockers].map((read) => read()).filter(({ blocks }) => blocks(move));
      return lost.current.length > 0;
    }, []),
  );
  const latest = useRef(blocked);
  useEffect(() => {
    latest.current = blocked;
    if (blocked.state !== 'blocked') return;
    lost.current.at(-1)?.confirm(
      () => {
        for (const { onLeave } of lost.current) onLeave?.();
        // Another address may have been opened while it asked.
        latest.current.proceed?.();
      },
      () => latest.current.reset?.(),
    );
  }, [blocked]);
  return <Outlet />;
}

/** State of an address that was not opened by the page on show. */
export const FROM_ELSEWHERE = 'elsewhere';

/** Opens a page from anywhere, also from over a dialog: text typed there is asked about, as when a page is left. */
export function useOpenPage(): (path: string) => void {
  const navigate = useNavigate();
  return useCallback((path) => void navigate(path, { state: FROM_ELSEWHERE }), [navigate]);
}
