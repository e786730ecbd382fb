import type { MaintenanceFacts } from '../bridge/maintenance.ts';
import type { MaintenanceHost } from '../panels/maintenance/maintenance-host.ts';
import type { Requests } from '../panels/maintenance/messages.ts';
import { blockedOf } from '../panels/reachability/blocked.ts';

/** The results of the process for long jobs: backups, failed pulls, and each panel's latest trial. */
export type Known = Requests['backups']['result'] & { latest: Requests['latest']['result'] };
const NOTHING: MaintenanceFacts = { backupAtMs: 0, backupFailure: null, reachability: null };

/** The backups and trials of panels as last read, so that the schedules need no process for it. */
export function createKnownFacts(host: Pick<MaintenanceHost, 'request'>, onFacts: () => void) {
  const facts = new Map<string, MaintenanceFacts>();
  let known: Known | null = null;

  async function learn(): Promise<void> {
    known = { ...(await host.request('backups', null)), latest: await host.request('latest', null) };
    const { entries, failures, latest } = known;
    facts.clear();
    const ids = new Set([...entries.map(({ panelId }) => panelId), ...failures.map(({ panelId }) => panelId)]);
    for (const id of new Set([...ids, ...Object.keys(latest)])) {
      const good = entries.find(({ panelId, state }) => panelId === id && state === 'good');
      const failure = failures.find(({ panelId }) => panelId === id) ?? null;
      const run = latest[id];
      facts.set(id, {
        backupAtMs: good?.takenAtMs ?? 0,
        backupFailure: failure === null ? null : { atMs: failure.atMs, words: failure.words },
        reachability:
          run === undefined || run.words !== ''
            ? null
            : { atMs: run.atMs, tried: run.ways.length, blocked: blockedOf(run) },
      });
    }
    onFacts();
  }

  return {
    /** Reads the data shown for each panel, after a change. @throws {Error} when the process ends */
    learn,
    /** The same, without waiting; the last data stays when it fails. */
    learnQuietly: (): void => void learn().catch(() => undefined),
    /** Null: not read yet. */
    read: (): Known | null => known,
    /** Null: unknown yet. */
    factsOf: (id: string): MaintenanceFacts | null => facts.get(id) ?? (known === null ? null : NOTHING),
  };
}
export type KnownFacts = ReturnType<typeof createKnownFacts>;
