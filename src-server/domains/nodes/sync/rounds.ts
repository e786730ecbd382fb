import type { Basics } from '../../basics.ts';
import type { Timer } from '../../../contract/schedule.ts';
import { untilAbort } from '../../../concurrency.ts';
import type { createOverview } from '../overview/overview.ts';
import type { KnownNode, Registry } from '../registry.ts';
import type { Polling } from './polling.ts';

const ROUND_MS = 5_000;
/** Nodes whose polls start together. */
const AT_ONCE = 4;

interface RoundsDeps extends Pick<Basics, 'schedule' | 'publish' | 'log'> {
  registry: Pick<Registry, 'all' | 'hasAny'>;
  polls: Pick<Polling, 'regular'>;
  overview: Pick<ReturnType<typeof createOverview>, 'list'>;
  /** Whether a page with live figures is open. */
  hasListeners: () => boolean;
  /** The panel stops. */
  signal: AbortSignal;
}

/**
 * Polls all nodes every 5 s. With many nodes the polls are spread over that time: a hundred at one moment would block
 * other requests to the panel for a second or more.
 */
export function createRounds({ registry, polls, overview, schedule, signal, log, ...deps }: RoundsDeps) {
  let timer: Timer | null = null;
  /** Rounds in progress. */
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

  /** @returns whether the panel is still running */
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
        // Not awaited: a node that takes longer than a round must not delay the next one.
        if (registry.hasAny())
          begin((groups) => ROUND_MS / groups).catch((error: unknown) => log.error('nodes.notTold', { error }));
      });
    },
    stop: (): void => timer?.cancel(),
    /** Resolves when no round is in progress. */
    ended: async (): Promise<void> => void (await Promise.allSettled(underWay)),
  };
}
