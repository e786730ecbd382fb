import type { Basics } from '../../basics.ts';
import type { Timer } from '../../../contract/schedule.ts';
import { untilAbort } from '../../../concurrency.ts';
import type { createOverview } from '../overview/overview.ts';
import type { KnownNode, Registry } from '../registry.ts';
import type { Polling } from './polling.ts';

const ROUND_MS = 5_000;
/** Nodes whose polls begin at the same moment. */
const AT_ONCE = 4;

interface RoundsDeps extends Pick<Basics, 'schedule' | 'publish' | 'log'> {
  registry: Pick<Registry, 'all' | 'hasAny'>;
  polls: Pick<Polling, 'regular'>;
  overview: Pick<ReturnType<typeof createOverview>, 'list'>;
  /** Whether a page is open that shows live figures. */
  hasListeners: () => boolean;
  /** The panel stops. */
  signal: AbortSignal;
}

/**
 * Polls of every node, every 5 s. Those of many nodes begin over the whole of that time: at one moment they would hold up
 * whatever else is asked of the panel, for a second and more with a hundred nodes.
 */
export function createRounds({ registry, polls, overview, schedule, signal, log, ...deps }: RoundsDeps) {
  let timer: Timer | null = null;
  /** Rounds that have not ended. */
  const underWay = new Set<Promise<void>>();

  async function round(betweenMs: (groups: number) => number): Promise<void> {
    const nodes = registry.all();
    const groups = Math.ceil(nodes.length / AT_ONCE);
    const polled: Promise<void>[] = [];
    for (let at = 0; at < groups; at++) {
      if (at > 0 && !(await pause(betweenMs(groups)))) break;
      polled.push(...nodes.slice(at * AT_ONCE, (at + 1) * AT_ONCE).map(regular));
    }
    await Promise.all(polled);
    if (!deps.hasListeners() || signal.aborted) return;
    deps.publish({ type: 'live', message: 'nodes', producer: 'nodes', data: await overview.list() });
  }

  const regular = (node: KnownNode): Promise<void> =>
    polls.regular(node).catch((error: unknown) => log.error('node.notPolled', { nodeId: node.row.id, error }));

  /** @returns whether the panel goes on */
  async function pause(ms: number): Promise<boolean> {
    if (ms === 0) return true;
    let waiting: Timer | null = null;
    const over = new Promise<void>((resolve) => (waiting = schedule.after(ms, resolve)));
    await untilAbort(over, signal).catch(() => waiting?.cancel());
    return !signal.aborted;
  }

  function begin(betweenMs: (groups: number) => number): Promise<void> {
    const run = round(betweenMs).finally(() => underWay.delete(run));
    underWay.add(run);
    return run;
  }

  return {
    /** Every node at once. */
    pollAll: (): Promise<void> => begin(() => 0),
    start(): void {
      timer ??= schedule.every(ROUND_MS, () => {
        // Not waited for: a node that takes longer than a round must not hold up the next one.
        if (registry.hasAny())
          begin((groups) => ROUND_MS / groups).catch((error: unknown) => log.error('nodes.notTold', { error }));
      });
    },
    stop: (): void => timer?.cancel(),
    /** Resolves when no round is under way. */
    ended: async (): Promise<void> => void (await Promise.allSettled(underWay)),
  };
}
