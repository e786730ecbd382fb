import { mkdir } from 'node:fs/promises';
import type { Logger } from '../../../contract/logger.ts';
import { sectionKey } from '../../apply/compare/content-key.ts';
import { objectOf, objectsOf, textOf } from '../../apply/compare/inbound-parts.ts';
import { snapshotOf } from '../../apply/compare/snapshot.ts';
import type { Json, JsonObject, LeftOut } from '../../config/source.ts';
import type { DesiredState } from '../../core.ts';
import type { ApiPlace } from '../api-place.ts';
import type { CheckConfig } from '../config-check.ts';
import { writeConfigFile } from '../config-file.ts';
import type { CoreEnd, CoreProcess } from '../core-process.ts';
import { startCore } from '../core-process.ts';
import { clearSockets, socketInUse } from '../listen-places.ts';
import { saveCrash } from '../output/crash-file.ts';
import { listenerOf } from '../output/core-text.ts';
import { withMetricsOnFreePort, withoutCulprits, withoutListener } from '../output/culprits.ts';
import type { OutputLine } from '../output/output-watch.ts';
import type { ConfigBuilder, Session } from '../session.ts';
import { tagsOf } from '../session.ts';

interface LaunchDeps {
  dataDir: string;
  logDir: string;
  configPath: string;
  pidFile: string;
  desired: DesiredState;
  builder: ConfigBuilder;
  place: ApiPlace;
  log: Logger;
  clock: () => number;
  environment: () => NodeJS.ProcessEnv;
  check: CheckConfig;
  /** Stops waiting for a core that starts, when the panel is closing. */
  isAborted: () => boolean;
}

/** A config as the core will be started with it, and its origin. */
export interface Assembled {
  config: JsonObject;
  leftOut: LeftOut[];
  /** Store ids of its inbounds, by position. */
  source: Parameters<ConfigBuilder['full']>[0];
  /** Inbounds left out because they could not listen, by id, and why. */
  waiting?: ReadonlyMap<number, string>;
  /** The metrics section as configured, when the listener had to move: a later comparison must not see a change. */
  wantedMetrics?: Json;
}

type Launched =
  | { ok: true; session: Session }
  | { ok: false; end: CoreEnd; output: readonly string[]; leftOut: readonly LeftOut[] };

type Endpoint = CoreProcess['endpoint'];

const LISTEN_ROUNDS = 50;

/** An end without a process that could have told more. */
export const UNKNOWN_END: CoreEnd = {
  exitCode: null,
  signal: null,
  text: '',
  wasRequested: false,
  respondedForMs: 0,
  crashText: '',
};

/** The way from the stored state to a running core. */
export function createLaunch(deps: LaunchDeps) {
  const { log, logDir, check } = deps;

  /** The config as a core would get it now. */
  async function assemble(apiListen: string, coreVersion: string): Promise<Assembled> {
    await mkdir(logDir, { recursive: true });
    const source = await deps.desired.full();
    const { config, leftOut, warnings } = await deps.builder.full(source, {
      apiListen,
      logFolder: logDir,
      coreVersion,
    });
    for (const text of warnings) log.warn('core.configWarning', { text });
    return { source, config, leftOut: [...leftOut] };
  }

  /** Without the entries for which the core refused it. @returns `reason`: still refused, and why; else empty */
  async function reduce(assembled: Assembled, refused: string): Promise<Assembled & { reason: string }> {
    if (refused === '') return { ...assembled, reason: '' };
    const { config, leftOut, reason } = await withoutCulprits(assembled.config, refused, check);
    for (const left of leftOut) log.warn('core.leftOut', { ...left });
    return { ...assembled, config, leftOut: [...assembled.leftOut, ...leftOut], reason };
  }

  /** Starts it. An inbound that cannot listen does not keep the others from running. */
  async function launch(binary: string, endpoint: Endpoint, wanted: Assembled): Promise<Launched> {
    let assembled = wanted;
    for (let round = 0; round < LISTEN_ROUNDS; round += 1) {
      // Chosen again in each round: another panel on this machine may have started its core meanwhile, with the same
      // template.
      const moved = await withMetricsOnFreePort(assembled.config);
      if (moved !== null) {
        log.warn('core.metricsMoved', { listen: moved.listen });
        assembled = {
          ...assembled,
          config: moved.config,
          wantedMetrics: assembled.wantedMetrics ?? moved.wanted,
        };
      }
      const [held] = await clearSockets(objectsOf(assembled.config.inbounds));
      const launched: Launched =
        held === undefined
          ? await launchOnce(binary, endpoint, assembled)
          : { ok: false, end: { ...UNKNOWN_END, text: socketInUse(held) }, output: [], leftOut: assembled.leftOut };
      if (launched.ok) return launched;
      // The address for the metrics was free a moment ago and is taken now.
      if ((await withMetricsOnFreePort(assembled.config)) !== null) continue;
      const { text } = launched.end;
      const listener = held === undefined ? listenerOf(text) : { listen: textOf(held.listen) };
      const fewer = listener === null ? null : withoutListener(assembled.config, listener, text);
      if (fewer === null) return launched;
      log.warn('core.leftOut', { ...fewer.left });
      assembled = withoutInbound(assembled, fewer);
    }
    return launchOnce(binary, endpoint, assembled);
  }

  async function launchOnce(binary: string, endpoint: Endpoint, assembled: Assembled): Promise<Launched> {
    await writeConfigFile(deps.configPath, assembled.config);
    deps.place.clear(endpoint);
    const starting = startCore({
      binary,
      configPath: deps.configPath,
      endpoint,
      pidFile: deps.pidFile,
      outputDir: logDir,
      cwd: deps.dataDir,
      env: deps.environment(),
      clock: deps.clock,
      onLine: logLine,
      isAborted: deps.isAborted,
    });
    // The core loads its config meanwhile.
    const [result, snapshot] = await Promise.all([starting, snapshotOf(assembled.config)]);
    if (assembled.wantedMetrics !== undefined) snapshot.sections.set('metrics', sectionKey(assembled.wantedMetrics));
    if (!result.ok) {
      await keepCrash(result.end);
      return { ok: false, end: result.end, output: result.output.lines(), leftOut: assembled.leftOut };
    }
    const session: Session = {
      process: result.core,
      snapshot,
      tagOf: tagsOf(assembled.source, snapshot),
      leftOut: assembled.leftOut,
      waiting: new Map(assembled.waiting),
      metricsListen: textOf(objectOf(assembled.config.metrics).listen),
    };
    return { ok: true, session };
  }

  /** Keeps what a crash wrote. */
  async function keepCrash(end: CoreEnd): Promise<void> {
    if (end.crashText === '') return;
    try {
      await saveCrash(logDir, end.crashText, deps.clock());
    } catch (error) {
      log.warn('core.crashFile', { error: String(error) });
    }
  }

  function logLine({ level, text }: OutputLine): void {
    if (level === 'error') log.error('core.output', { text });
    else if (level === 'warning') log.warn('core.output', { text });
    else if (level === 'debug') log.debug('core.output', { text });
    else log.info('core.output', { text });
  }

  return { assemble, reduce, launch, keepCrash };
}

function withoutInbound(assembled: Assembled, fewer: { config: JsonObject; left: LeftOut }): Assembled {
  const { name, reason } = fewer.left;
  const waiting = assembled.source.inbounds.filter(({ tag }) => tag === name);
  return {
    ...assembled,
    config: fewer.config,
    leftOut: [...assembled.leftOut, fewer.left],
    waiting: new Map([...(assembled.waiting ?? []), ...waiting.map(({ id }) => [id, reason] as const)]),
  };
}
