import type { ReachabilityRun } from '../../bridge/maintenance.ts';
import type { SealedStore } from '../store/sealed-store.ts';

const PREFIX = 'run/';
/** Runs kept for each panel: three weeks of a trial every two hours, or at least a week of hourly ones. */
const MAX_RUNS = 250;

const partOf = (atMs: number): string => `${PREFIX}${String(atMs).padStart(15, '0')}`;

/** History of how reachable the inbounds of all panels were from here, sealed. */
export function openHistory(store: SealedStore) {
  const runsOf = (panelId: string): ReachabilityRun[] =>
    store
      .parts(panelId, PREFIX)
      .toReversed()
      .flatMap((part) => (store.read(panelId, part) as ReachabilityRun | null) ?? []);
  return {
    /** Newest first. */
    runs: runsOf,
    latest(panelIds: readonly string[]): Record<string, ReachabilityRun> {
      return Object.fromEntries(
        panelIds.flatMap((id) => {
          const last = store.parts(id, PREFIX).at(-1);
          const run = last === undefined ? null : (store.read(id, last) as ReachabilityRun | null);
          return run === null ? [] : [[id, run] as const];
        }),
      );
    },
    add(run: ReachabilityRun): void {
      const part = partOf(run.atMs);
      store.replace(run.panelId, part, new Map([[part, run]]));
      const parts = store.parts(run.panelId, PREFIX);
      for (const old of parts.slice(0, Math.max(0, parts.length - MAX_RUNS)))
        store.replace(run.panelId, old, new Map());
    },
    /** Removes panels that are no longer saved. */
    forgetOthers(panelIds: ReadonlySet<string>): void {
      for (const id of store.panels()) if (!panelIds.has(id)) store.forget(id);
    },
  };
}
