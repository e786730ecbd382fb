import { useContext, useEffect, useRef, type ContextType } from 'react';
import { UNSAFE_DataRouterContext as RouterContext, type BlockerFunction } from 'react-router';

type Router = NonNullable<ContextType<typeof RouterContext>>['router'];

/** Something on show that loses what was typed when the address changes. */
interface LeaveBlocker {
  /** Whether this change of the address would lose something. */
  blocks: BlockerFunction;
  ask: (leave: () => void, stay: () => void) => void;
  /** Discards what leaving loses. */
  onLeave?: (() => void) | undefined;
}

interface Blockers {
  all: Set<() => LeaveBlocker>;
  stop: () => void;
}

const KEY = 'leave';
const blockersOf = new WeakMap<Router, Blockers>();

/**
 * Asks before the address changes. A router takes one blocker, and asks only the newest of several: those of a page and
 * of the dialog over it share one. One question is asked for all that would lose something.
 */
export function useLeaveBlocker(blocker: LeaveBlocker): void {
  const { router, basename } = useContext(RouterContext)!;
  // Read when the address changes: what blocks stays the same blocker while text is typed and saved.
  const latest = useRef(blocker);
  useEffect(() => {
    latest.current = blocker;
  });
  useEffect(() => {
    const read = (): LeaveBlocker => latest.current;
    const blockers = blockersOf.get(router) ?? start(router, basename);
    blockers.all.add(read);
    return () => {
      blockers.all.delete(read);
      if (blockers.all.size === 0) blockers.stop();
    };
  }, [router, basename]);
}

function start(router: Router, basename: string): Blockers {
  const all: Blockers['all'] = new Set();
  let blocking: LeaveBlocker[] = [];
  let asked: object | undefined;
  const within = <T extends { pathname: string }>(place: T): T =>
    basename === '/' ? place : { ...place, pathname: place.pathname.slice(basename.replace(/\/$/, '').length) || '/' };
  router.getBlocker(KEY, ({ currentLocation, nextLocation, historyAction }) => {
    const move = { currentLocation: within(currentLocation), nextLocation: within(nextLocation), historyAction };
    blocking = [...all].map((read) => read()).filter(({ blocks }) => blocks(move));
    return blocking.length > 0;
  });
  const unsubscribe = router.subscribe(({ blockers }) => {
    const blocked = blockers.get(KEY);
    if (blocked?.state !== 'blocked' || blocked === asked) return;
    asked = blocked;
    const lost = blocking;
    lost.at(-1)?.ask(() => {
      for (const { onLeave } of lost) onLeave?.();
      blocked.proceed();
    }, blocked.reset);
  });
  const blockers: Blockers = {
    all,
    stop() {
      unsubscribe();
      router.deleteBlocker(KEY);
      blockersOf.delete(router);
    },
  };
  blockersOf.set(router, blockers);
  return blockers;
}
