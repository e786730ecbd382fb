import { DomainError } from '../../../contract/domain-error.ts';
import type { Publish } from '../../../contract/events.ts';
import type { Store } from '../../../store/open-store.ts';
import type { JobPort, RunningJob } from '../../coreFiles/job-port.ts';
import type { KnownNode, Registry } from '../registry.ts';
import { updateNode } from '../repository.ts';
import type { Probe } from '../stored-types.ts';
import { refusalOf } from '../sync/refusal.ts';
import type { NodeVersions, Rollout, RolloutLine } from './contract.ts';
import { exchangeOn, PATIENCE, type Patience } from './exchange.ts';
import { readVersions } from './versions.ts';
import { arrangeWaves, type RolloutRequest } from './waves.ts';

export interface RolloutDeps {
  store: Pick<Store, 'write'>;
  registry: Registry;
  /** Probes a node and stores the result. */
  probe: (node: KnownNode) => Promise<Probe>;
  jobs: JobPort;
  textOf: (error: DomainError) => string;
  publish: Publish;
  patience?: Partial<Patience>;
}

/** Versions of the fleet and their rollout: one node first, then the others in waves, until one fails. */
export function createRollouts(deps: RolloutDeps) {
  const { store, registry, probe, jobs, textOf, publish } = deps;
  const patience = { ...PATIENCE, ...deps.patience };
  let last: Rollout | null = null;

  const tell = (): void => publish({ type: 'invalidate', resource: 'nodes' });

  function set(line: RolloutLine, values: Partial<RolloutLine>): void {
    Object.assign(line, values);
    tell();
  }

  function refuse(line: RolloutLine, state: 'failed' | 'skipped', error: DomainError): void {
    set(line, { state, error: textOf(error), refusal: refusalOf(error) });
  }

  async function runOn(
    line: RolloutLine,
    { what, version, back, dev }: RolloutRequest,
    signal: AbortSignal,
  ): Promise<void> {
    const node = registry.get(line.id);
    // It may have been taken out since the start.
    if (node === undefined) return refuse(line, 'skipped', new DomainError('node.missing'));
    if (node.row.enable === 0) return refuse(line, 'skipped', new DomainError('node.disabled'));
    try {
      const wanted = back ? node.row.coreVersionBefore : version;
      set(line, { state: 'working' });
      const found = await exchangeOn({
        client: node.client(),
        what,
        version: wanted,
        isDev: dev,
        wasRunning: node.row.coreState === 'running',
        signal,
        patience,
        probe: () => probe(node),
        onChecking: () => set(line, { state: 'checking' }),
      });
      const after = (what === 'panel' ? found.panelVersion : found.coreVersion) ?? '';
      if (what !== 'geo' && line.before !== after) await remember(node, what, line.before);
      set(line, { state: 'updated', after });
    } catch (error) {
      if (signal.aborted) set(line, { state: 'cancelled' });
      else if (error instanceof DomainError) refuse(line, 'failed', error);
      else throw error;
    }
  }

  /** Starts a rollback. */
  async function remember({ row }: KnownNode, what: 'core' | 'panel', before: string): Promise<void> {
    const values = what === 'core' ? { coreVersionBefore: before } : { panelVersionBefore: before };
    await store.write((trx) => updateNode(trx, row.id, values));
    Object.assign(row, values);
  }

  /** @throws {DomainError} `node.rolloutStopped`: a node failed, and the ones after it stay unchanged */
  async function run(rollout: Rollout, request: RolloutRequest, { signal, report }: RunningJob): Promise<unknown> {
    const ready = rollout.lines.filter(({ state }) => state === 'waiting');
    const isEnded = ({ state }: RolloutLine): boolean =>
      state !== 'waiting' && state !== 'working' && state !== 'checking';
    try {
      for (const wave of Map.groupBy(ready, (line) => line.wave).values()) {
        signal.throwIfAborted();
        const done = (): number => ready.filter(isEnded).length;
        report({ done: done(), total: ready.length, stage: wave.map(({ name }) => name).join(', ') });
        await Promise.all(wave.map((line) => runOn(line, request, signal)));
        report({ done: done(), total: ready.length });
        signal.throwIfAborted();
        const failed = wave.find(({ state }) => state === 'failed');
        if (failed !== undefined)
          throw new DomainError('node.rolloutStopped', { name: failed.name, reason: failed.error });
      }
      return { updated: ready.filter(({ state }) => state === 'updated').length };
    } finally {
      for (const line of ready) if (line.state === 'waiting') line.state = 'untouched';
      rollout.isRunning = false;
      tell();
    }
  }

  return {
    /** @see readVersions */
    versions: (): Promise<NodeVersions[]> => readVersions(registry),

    last: (): Rollout | null => last,

    /** @throws {DomainError} `node.rolloutRunning`, `node.noneReady`, `node.noVersion` */
    start(request: RolloutRequest): { jobId: string } {
      if (last?.isRunning === true) throw new DomainError('node.rolloutRunning');
      const { what, version, back: isBack } = request;
      const lines = arrangeWaves({ registry, refuse }, request);
      const rollout: Rollout = { jobId: '', what, version, isBack, isRunning: true, lines };
      const { id } = jobs.start({
        kind: 'rollOut',
        title: `${what === 'core' ? `Core ${version}` : what} · ${lines.length}`,
        run: (job) => run(rollout, request, job),
      });
      rollout.jobId = id;
      last = rollout;
      tell();
      return { jobId: id };
    },
  };
}
export type RolloutService = ReturnType<typeof createRollouts>;
