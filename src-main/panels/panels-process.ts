import type { ServerProcess, ServerRuntime } from '../supervisor/server-runtime.ts';
import type { FromPanels, ToPanels } from './messages.ts';

const FIRST_WAIT_MS = 1_000;
const LAST_WAIT_MS = 60_000;

interface ProcessDeps {
  runtime: ServerRuntime<FromPanels, ToPanels>;
  onMessage: (message: FromPanels) => void;
  onEnd: () => void;
  /** Whether one that ended is started again. */
  isWanted: () => boolean;
}

/** The process that reads panels: one at a time, started again after growing delays. */
export function createPanelsProcess({ runtime, onMessage, onEnd, isWanted }: ProcessDeps) {
  let child: ServerProcess<ToPanels> | null = null;
  let waitMs = FIRST_WAIT_MS;
  let restart: NodeJS.Timeout | undefined;

  function start(): void {
    clearTimeout(restart);
    if (child !== null) return;
    const running = runtime.start([], {
      onLine: () => undefined,
      onMessage: (message) => {
        if (child === running) onMessage(message);
      },
      onExit: () => {
        if (child === running) ended();
      },
    });
    child = running;
  }

  function ended(): void {
    child = null;
    onEnd();
    if (!isWanted()) return;
    restart = setTimeout(start, waitMs);
    waitMs = Math.min(waitMs * 2, LAST_WAIT_MS);
  }

  return {
    start,
    /** The running one, null = none. */
    current: () => child,
    send: (message: ToPanels) => child?.send(message),
    /** It works: the next delay is the shortest one again. */
    resetDelay: () => void (waitMs = FIRST_WAIT_MS),
    stop(): void {
      clearTimeout(restart);
      const stopped = child;
      ended();
      stopped?.send({ type: 'stop' });
    },
  };
}
