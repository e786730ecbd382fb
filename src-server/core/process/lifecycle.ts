import { mkdirSync } from 'node:fs';
import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { isDatabaseAway } from '../../contract/database-away.ts';
import { DomainError } from '../../contract/domain-error.ts';
import type { Logger } from '../../contract/logger.ts';
import type { Schedule, Timer } from '../../contract/schedule.ts';
import type { CoreApi } from '../api/core-api.ts';
import { listenText } from '../api/endpoint.ts';
import { sectionKey } from '../apply/content-key.ts';
import { objectOf, objectsOf, textOf } from '../apply/inbound-parts.ts';
import { snapshotOf } from '../apply/snapshot.ts';
import type { FoundCore } from '../binary/locate.ts';
import { speaksQuic } from '../config/inbound/inbound-rules.ts';
import type { Json, JsonObject, LeftOut } from '../config/source.ts';
import type { CoreStatus, DesiredState } from '../core.ts';
import type { ApiPlace } from './api-place.ts';
import type { CheckConfig } from './config-check.ts';
import { writeConfigFile } from './config-file.ts';
import type { CoreEnd, CoreProcess, StartResult } from './core-process.ts';
import { settlesWithin, startCore } from './core-process.ts';
import { saveCrash } from './output/crash-file.ts';
import { listenerOf } from './output/core-text.ts';
import type { Reduced } from './output/culprits.ts';
import { withoutCulprits, withMetricsOnFreePort, withoutListener } from './output/culprits.ts';
import { createLine } from '../../concurrency.ts';
import { endOrphans } from './orphan.ts';
import { clearSockets, socketInUse } from './listen-sockets.ts';
import { CONFIG_FILE, PID_FILE } from './recorded-core.ts';
import type { OutputLine } from './output/output-watch.ts';
import type { RestartState } from './restart-policy.ts';
import { afterEnd, FRESH } from './restart-policy.ts';
import type { ConfigBuilder, Session } from './session.ts';
import { tagsOf } from './session.ts';
import { Silence } from './silence.ts';

export interface LifecycleDeps {
  dataDir: string;
  logDir: string;
  desired: DesiredState;
  builder: ConfigBuilder;
  place: ApiPlace;
  log: Logger;
  clock: () => number;
  schedule: Pick<Schedule, 'after'>;
  locate: () => Promise<FoundCore>;
  environment: () => NodeJS.ProcessEnv;
  check: CheckConfig;
}

/** A config as the core will be started with it, and its origin. */
interface Assembled {
  config: JsonObject;
  leftOut: LeftOut[];
  /** Store ids of its inbounds, by position. */
  source: Parameters<ConfigBuilder['full']>[0];
  /** Inbounds left out because they could not listen, by id, and why. */
  waiting?: ReadonlyMap<number, string>;
  /** The metrics section as configured, when the listener had to move: a later comparison must not see a change. */
  wantedMetrics?: Json;
}

const FINAL_READ_MS = 10_000;
const CRASH_REPORT_EVERY_MS = 60_000;
const SILENT_TEXT = 'The core is running but has not answered for two minutes. Restart it.';
const CONFIG_ERROR = 23;
const PANIC = 2;
const KEPT_OUTPUT = 200;
const AWAY_RETRY_MS = 1_000;
const LISTEN_ROUNDS = 50;

/**
 * Start, stop, restart and crash of the one core process. Methods with `Locked` in their name expect the caller to run
 * in {@link Lifecycle.inLine}; the others take the lock themselves.
 */
export class Lifecycle {
  readonly inLine = createLine();
  readonly configPath: string;
  session: Session | null = null;
  /**
   * True from the final read of a core until it is gone: a caller that waits for the lock then would wait for itself.
   */
  isEnding = false;
  isClosed = false;
  isStoppedByHand = false;
  /** The source of counters: the running core, or an orphan during its final read. */
  readable: { api: CoreApi; bootId: string } | null = null;

  readonly #deps: LifecycleDeps;
  readonly #pidFile: string;
  readonly #listeners = new Set<(status: CoreStatus) => void>();
  readonly #beforeStop: (() => Promise<void>)[] = [];
  #errorText = '';
  #hasFailed = false;
  #version = 'Unknown';
  #output: readonly string[] = [];
  #lastEnd: { atMs: number; how: string } | null = null;
  #restarts: CoreStatus['restarts'] = { count: 0, lastAtMs: null };
  /** Whether the next start follows an unplanned end. */
  #hasEndedByItself = false;
  #leftOut: readonly LeftOut[] = [];
  #policy: RestartState = FRESH;
  /** Whether the last start failed for a reason that waiting does not cure. */
  #isWaitingForConfig = false;
  #restart: Timer | null = null;
  #hasEndedOrphans = false;
  #lastCrashReportMs = -Infinity;
  /** Of the running core. */
  #silence = new Silence();
  #announced = '';
  /**
   * Called after every successful start, which clears earlier failures of single changes. Names the inbounds that could
   * not listen: they are worth another try.
   */
  onStarted: (waitingInboundIds: readonly number[]) => void = () => undefined;

  constructor(deps: LifecycleDeps) {
    this.#deps = deps;
    this.configPath = join(deps.dataDir, CONFIG_FILE);
    this.#pidFile = join(deps.dataDir, PID_FILE);
    mkdirSync(deps.dataDir, { recursive: true });
  }

  get version(): string {
    return this.#version;
  }

  /** Whether a start is waiting for a changed config. */
  get isWaitingForConfig(): boolean {
    return this.session === null && this.#isWaitingForConfig && !this.isStoppedByHand && !this.isClosed;
  }

  /** Whether the next start is put off after one that failed. */
  get isBackingOff(): boolean {
    return this.session === null && this.#restart !== null;
  }

  status(): CoreStatus {
    const process = this.session?.process ?? null;
    return {
      state: (process ? this.#silence.isLong : this.#hasFailed) ? 'error' : process ? 'running' : 'stop',
      version: this.#version,
      errorText: process ? (this.#silence.isLong ? SILENT_TEXT : '') : this.#errorText,
      pid: process?.pid ?? null,
      bootId: process?.bootId ?? null,
      startedAtMs: process?.startedAtMs ?? null,
      restarts: this.#restarts,
      leftOut: this.session?.leftOut ?? this.#leftOut,
    };
  }

  onState(listener: (status: CoreStatus) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  onBeforeStop(listener: () => Promise<void>): void {
    this.#beforeStop.push(listener);
  }

  /** Notes whether a call to this core was answered. */
  noteAnswer(api: CoreApi, isAnswered: boolean): void {
    if (this.session?.process.api !== api || this.isEnding) return;
    if (!this.#silence.note(isAnswered)) return;
    const { pid } = this.session.process;
    if (this.#silence.isLong) this.#deps.log.error('core.silent', { pid });
    else this.#deps.log.info('core.answersAgain', { pid });
    this.#announce();
  }

  /** Output of the last core; empty while one runs. */
  lastOutput(): string {
    return this.session ? '' : this.#output.slice(-KEPT_OUTPUT).join('\n');
  }

  previousRun(): { endedAtMs: number; how: string; output: string } | null {
    if (this.#lastEnd === null) return null;
    const { atMs, how } = this.#lastEnd;
    return { endedAtMs: atMs, how, output: this.#output.slice(-KEPT_OUTPUT).join('\n') };
  }

  boot(): Promise<void> {
    return this.inLine(async () => {
      if (!this.isClosed && this.session === null) await this.#startQuietlyLocked();
    });
  }

  stop(): Promise<void> {
    return this.inLine(async () => {
      this.isStoppedByHand = true;
      this.#cancelRestart();
      if (this.session === null) throw new DomainError('core.notRunning');
      await this.#endLocked();
      this.#announce();
    });
  }

  restart(reason: string): Promise<void> {
    return this.inLine(async () => {
      if (this.isClosed) throw new DomainError('core.notRunning');
      this.isStoppedByHand = false;
      this.#policy = FRESH;
      await this.restartLocked(reason);
    });
  }

  /** Ends what runs, and what an earlier panel left; {@link boot} starts it again. */
  rest(): Promise<void> {
    this.#cancelRestart();
    return this.inLine(() => this.#restLocked());
  }

  close(): Promise<void> {
    this.isClosed = true;
    this.#cancelRestart();
    return this.inLine(async () => {
      await this.#restLocked();
      this.#deps.place.close();
    });
  }

  async #restLocked(): Promise<void> {
    this.#cancelRestart();
    if (this.session) await this.#endLocked();
    // A panel stopped while it starts must still end what the previous one left.
    else if (!this.#hasEndedOrphans) await this.#endOrphansLocked();
    this.#hasFailed = false;
    this.#isWaitingForConfig = false;
    this.#errorText = '';
    this.#announce();
  }

  /**
   * Builds and tests the wanted config, and only then ends the old process.
   * @throws {DomainError} `core.configInvalid`, `core.noVerdict`, `core.notInstalled` (nothing was stopped),
   * `core.startFailed`
   */
  async restartLocked(reason: string): Promise<void> {
    const { check, log } = this.#deps;
    const found = await this.#locate();
    if (!found.ok) {
      if (this.session === null) await this.#afterNoneFoundLocked(found);
      throw new DomainError('core.notInstalled', { text: found.text });
    }
    const endpoint = await this.#deps.place.next();
    const assembled = await this.#assemble(listenText(endpoint));
    const refused = await check(assembled.config);
    const reduced = await this.#withoutCulprits(assembled, refused);
    if (reduced.reason !== '') {
      if (this.session === null) {
        this.#cancelRestart();
        this.#fail(reduced.reason, true);
      }
      throw new DomainError('core.configInvalid', { text: reduced.reason });
    }
    log.info('core.restart', { reason });
    this.#cancelRestart();
    const end = await this.#exchangeLocked(found.path, endpoint, { ...assembled, ...reduced });
    if (end) {
      await this.#afterFailureLocked(end);
      throw new DomainError('core.startFailed', { text: end.text });
    }
  }

  /** Whatever fails, once the old process is asked to end, is a failed start: a core has to come back. */
  async #exchangeLocked(
    binary: string,
    endpoint: CoreProcess['endpoint'],
    assembled: Assembled,
  ): Promise<CoreEnd | null> {
    try {
      if (this.session) await this.#endLocked();
      return await this.#launchMostLocked(binary, endpoint, assembled);
    } catch (error) {
      return { ...UNKNOWN_END, text: reasonOfFailure(error) };
    }
  }

  /**
   * Start at boot and after a crash: without a config test, which costs as much as the start; a bad config shows by
   * itself.
   */
  async #startQuietlyLocked(): Promise<void> {
    this.#cancelRestart();
    try {
      const found = await this.#locate();
      if (!this.#hasEndedOrphans) await this.#endOrphansLocked();
      if (!found.ok) {
        await this.#afterNoneFoundLocked(found);
        return;
      }
      const endpoint = await this.#deps.place.next();
      const assembled = await this.#assemble(listenText(endpoint));
      let end = await this.#launchMostLocked(found.path, endpoint, assembled);
      if (end && isConfigFault(end)) {
        const reduced = await this.#withoutCulprits(assembled, end.text);
        if (reduced.reason === '')
          end = await this.#launchMostLocked(found.path, endpoint, { ...assembled, ...reduced });
      }
      if (end) await this.#afterFailureLocked(end);
    } catch (error) {
      const text = reasonOfFailure(error);
      // The desired state is in the database: the start is retried as soon as that is back.
      if (isDatabaseAway(error)) {
        this.#fail(text, false);
        this.#startAgainAfter(AWAY_RETRY_MS);
        return;
      }
      this.#deps.log.error('core.startFailed', { error: error instanceof Error ? (error.stack ?? text) : text });
      await this.#afterFailureLocked({ ...UNKNOWN_END, text });
    }
  }

  /** Retries a start that was given up because of the config. True when a core runs afterwards. */
  async retryLocked(): Promise<boolean> {
    await this.#startQuietlyLocked();
    return this.session !== null;
  }

  /** The config as a core would get it now. */
  async #assemble(apiListen: string): Promise<Assembled> {
    const { desired, builder, logDir } = this.#deps;
    await mkdir(logDir, { recursive: true });
    const source = await desired.full();
    const { config, leftOut, warnings } = await builder.full(source, {
      apiListen,
      logFolder: logDir,
      coreVersion: this.#version,
    });
    for (const text of warnings) this.#deps.log.warn('core.configWarning', { text });
    return { source, config, leftOut: [...leftOut] };
  }

  /** Where the API of the running core listens, or would listen. */
  async assembledConfig(): Promise<JsonObject> {
    const endpoint = this.session?.process.endpoint ?? (await this.#deps.place.next());
    if (this.#version === 'Unknown') await this.#locate();
    return (await this.#assemble(listenText(endpoint))).config;
  }

  async #withoutCulprits(assembled: Assembled, reason: string): Promise<Reduced> {
    if (reason === '') return { config: assembled.config, leftOut: assembled.leftOut, reason };
    const reduced = await withoutCulprits(assembled.config, reason, this.#deps.check);
    for (const left of reduced.leftOut) this.#deps.log.warn('core.leftOut', { ...left });
    return { ...reduced, leftOut: [...assembled.leftOut, ...reduced.leftOut] };
  }

  async #locate(): Promise<FoundCore> {
    const found = await this.#deps.locate();
    this.#version = found.ok ? found.version : 'Unknown';
    // The kernel reports the real path of an executable; the record must contain the same.
    return found.ok ? { ...found, path: await realpath(found.path) } : found;
  }

  /** Like {@link #launchLocked}, but an inbound that cannot listen does not keep the others from running. */
  async #launchMostLocked(
    binary: string,
    endpoint: CoreProcess['endpoint'],
    wanted: Assembled,
  ): Promise<CoreEnd | null> {
    let assembled = wanted;
    if (!this.#hasEndedOrphans) await this.#endOrphansLocked();
    for (let round = 0; round < LISTEN_ROUNDS; round += 1) {
      // Chosen again in each round: another panel on this machine may have started its core meanwhile, with the same
      // template.
      const moved = await withMetricsOnFreePort(assembled.config);
      if (moved !== null) {
        this.#deps.log.warn('core.metricsMoved', { listen: moved.listen });
        assembled = {
          ...assembled,
          config: moved.config,
          wantedMetrics: assembled.wantedMetrics ?? moved.wanted,
        };
      }
      const [held] = await clearSockets(objectsOf(assembled.config.inbounds));
      const end =
        held === undefined
          ? await this.#launchLocked(binary, endpoint, assembled)
          : { ...UNKNOWN_END, text: socketInUse(held) };
      // The address for the metrics was free a moment ago and is taken now.
      if (end !== null && (await withMetricsOnFreePort(assembled.config)) !== null) continue;
      if (end === null) return null;
      const listener = held === undefined ? listenerOf(end.text) : { listen: textOf(held.listen) };
      if (listener === null) return end;
      const fewer = withoutListener(assembled.config, listener, end.text);
      if (fewer === null) return end;
      this.#deps.log.warn('core.leftOut', { ...fewer.left });
      const { name, reason } = fewer.left;
      const waiting = assembled.source.inbounds.filter(({ tag }) => tag === name);
      assembled = {
        ...assembled,
        config: fewer.config,
        leftOut: [...assembled.leftOut, fewer.left],
        waiting: new Map([...(assembled.waiting ?? []), ...waiting.map(({ id }) => [id, reason] as const)]),
      };
    }
    return this.#launchLocked(binary, endpoint, assembled);
  }

  /** Null when the core runs. */
  async #launchLocked(
    binary: string,
    endpoint: CoreProcess['endpoint'],
    assembled: Assembled,
  ): Promise<CoreEnd | null> {
    const { log, clock, dataDir, environment } = this.#deps;
    await writeConfigFile(this.configPath, assembled.config);
    this.#deps.place.clear(endpoint);
    const starting = startCore({
      binary,
      configPath: this.configPath,
      endpoint,
      pidFile: this.#pidFile,
      outputDir: this.#deps.logDir,
      cwd: dataDir,
      env: environment(),
      clock,
      onLine: (line) => this.#logLine(line),
      isAborted: () => this.isClosed,
    });
    // The core loads its config meanwhile.
    const [result, snapshot] = await Promise.all([starting, snapshotOf(assembled.config)]);
    if (assembled.wantedMetrics !== undefined) snapshot.sections.set('metrics', sectionKey(assembled.wantedMetrics));
    if (!result.ok) {
      this.#output = result.output.lines();
      this.#leftOut = assembled.leftOut;
      await this.#keepCrash(result.end);
      return result.end;
    }
    this.#settle(result, {
      snapshot,
      tagOf: tagsOf(assembled.source, snapshot),
      leftOut: assembled.leftOut,
      waiting: new Map(assembled.waiting),
      metricsListen: textOf(objectOf(assembled.config.metrics).listen),
    });
    this.onStarted([...(assembled.waiting?.keys() ?? [])]);
    this.#announce();
    log.info('core.started', { pid: result.core.pid, version: this.#version, leftOut: assembled.leftOut.length });
    return null;
  }

  #settle({ core }: Extract<StartResult, { ok: true }>, rest: Omit<Session, 'process'>): void {
    this.session = { process: core, ...rest };
    this.#silence = new Silence();
    this.readable = { api: core.api, bootId: core.bootId };
    this.#errorText = '';
    this.#hasFailed = false;
    this.#isWaitingForConfig = false;
    if (this.#hasEndedByItself) this.#restarts = { count: this.#restarts.count + 1, lastAtMs: this.#deps.clock() };
    this.#hasEndedByItself = false;
    void core.ended.then((end) => this.#onEnd(core, end));
  }

  /** Handles a process that ended without being stopped. */
  async #onEnd(core: CoreProcess, end: CoreEnd): Promise<void> {
    if (this.session?.process !== core) return;
    this.#leftOut = this.session.leftOut;
    this.session = null;
    // The last counters of a core that is being ended are still to be committed.
    if (!this.isEnding) this.readable = null;
    this.#output = core.output.lines();
    const now = this.#deps.clock();
    this.#lastEnd = { atMs: now, how: end.wasWished ? '' : end.text };
    // One that ends late for a restart is missing like one that ended by itself.
    if ((end.wasWished && (this.isEnding || this.isStoppedByHand)) || this.isClosed) return;
    this.#hasEndedByItself = true;
    const level = now - this.#lastCrashReportMs >= CRASH_REPORT_EVERY_MS ? 'error' : 'warn';
    if (level === 'error') this.#lastCrashReportMs = now;
    this.#deps.log[level]('core.crash', { pid: core.pid, exitCode: end.exitCode, signal: end.signal, text: end.text });
    await this.#keepCrash(end);
    await this.#afterFailureLocked(end);
  }

  async #afterNoneFoundLocked({ text, mayPass }: Extract<FoundCore, { ok: false }>): Promise<void> {
    this.#cancelRestart();
    if (mayPass === true) await this.#afterFailureLocked({ ...UNKNOWN_END, text });
    else this.#fail(text, true);
  }

  /** Decides about the next start. Needs no lock: it only arms a timer. */
  async #afterFailureLocked(end: CoreEnd): Promise<void> {
    const decision = afterEnd(this.#policy, end);
    this.#policy = decision.state;
    this.#fail(end.text || 'The core ended by itself.', decision.kind === 'wait');
    if (decision.kind === 'restart') this.#startAgainAfter(decision.afterMs);
  }

  #startAgainAfter(delayMs: number): void {
    if (this.isClosed || this.isStoppedByHand) return;
    const again = (): Promise<void> =>
      this.inLine(async () => {
        if (this.session === null && !this.isClosed && !this.isStoppedByHand) await this.#startQuietlyLocked();
      });
    if (delayMs === 0) void again();
    else this.#restart = this.#deps.schedule.after(delayMs, again);
  }

  #fail(text: string, isWaitingForConfig: boolean): void {
    // Every change retries what is waiting for one; the log needs it only once.
    if (!this.#hasFailed || this.#errorText !== text) this.#deps.log.error('core.down', { text });
    this.#hasFailed = true;
    this.#errorText = text;
    this.#isWaitingForConfig = isWaitingForConfig;
    this.#announce();
  }

  /**
   * Final read and end of the running core. A core asked to end keeps moving bytes until it has ended, so it is asked
   * politely only where its peers would otherwise never know; the kernel itself reports the connections it closes.
   */
  async #endLocked(): Promise<void> {
    const session = this.session;
    if (!session) return;
    await this.#countToTheEnd(session.process.api, session.process.bootId, async () => {
      await session.process.stop(hasQuicPeers(session) ? 'polite' : 'firm');
      this.#output = session.process.output.lines();
      this.#lastEnd = { atMs: this.#deps.clock(), how: '' };
      this.#leftOut = session.leftOut;
      if (this.session === session) this.session = null;
      this.#hasFailed = false;
      this.#errorText = '';
    });
  }

  /**
   * Ends a core so that next to nothing it moved stays uncounted. Committing takes time and bytes keep moving
   * meanwhile, so the counters are read once more right before the end and committed when the process is gone.
   */
  async #countToTheEnd(api: CoreApi, bootId: string, end: () => Promise<void>): Promise<void> {
    this.readable = { api, bootId };
    this.isEnding = true;
    try {
      const hasSettled = await this.#runBeforeStop();
      const last = hasSettled ? await api.rawCounters().catch(() => null) : null;
      await end();
      if (last === null) return;
      this.readable = { api: { ...api, rawCounters: async () => last }, bootId };
      await this.#runBeforeStop();
    } finally {
      this.isEnding = false;
      this.readable =
        this.session === null ? null : { api: this.session.process.api, bootId: this.session.process.bootId };
    }
  }

  async #endOrphansLocked(): Promise<void> {
    await endOrphans({
      pidFile: this.#pidFile,
      configPath: this.configPath,
      log: this.#deps.log,
      countToTheEnd: (api, bootId, end) => this.#countToTheEnd(api, bootId, end),
    });
    this.#hasEndedOrphans = true;
  }

  /** A listener that fails or hangs must not keep alive a core that has to go. False when one hangs. */
  async #runBeforeStop(): Promise<boolean> {
    const all = Promise.allSettled(this.#beforeStop.map((listener) => listener())).then((results) => {
      for (const result of results) {
        if (result.status === 'rejected') this.#deps.log.error('core.finalRead', { error: String(result.reason) });
      }
    });
    const hasSettled = await settlesWithin(all, FINAL_READ_MS);
    if (!hasSettled) this.#deps.log.error('core.finalRead', { error: 'timed out' });
    return hasSettled;
  }

  async #keepCrash(end: CoreEnd): Promise<void> {
    if (end.crashText === '') return;
    try {
      await saveCrash(this.#deps.logDir, end.crashText, this.#deps.clock());
    } catch (error) {
      this.#deps.log.warn('core.crashFile', { error: String(error) });
    }
  }

  #cancelRestart(): void {
    this.#restart?.cancel();
    this.#restart = null;
  }

  #logLine({ level, text }: OutputLine): void {
    const { log } = this.#deps;
    if (level === 'error') log.error('core.output', { text });
    else if (level === 'warning') log.warn('core.output', { text });
    else if (level === 'debug') log.debug('core.output', { text });
    else log.info('core.output', { text });
  }

  #announce(): void {
    const status = this.status();
    const now = `${status.state} ${status.pid ?? ''}`;
    if (now === this.#announced) return;
    this.#announced = now;
    for (const listener of this.#listeners) {
      try {
        listener(status);
      } catch (error) {
        this.#deps.log.error('core.stateListener', { error: String(error) });
      }
    }
  }
}

const hasQuicPeers = ({ snapshot }: Session): boolean =>
  [...snapshot.inbounds.values()].some(({ frame }) =>
    speaksQuic(textOf(frame['protocol']), objectOf(frame['streamSettings'])),
  );

const UNKNOWN_END: CoreEnd = {
  exitCode: null,
  signal: null,
  text: '',
  wasWished: false,
  answeredForMs: 0,
  crashText: '',
};

function isConfigFault(end: CoreEnd): boolean {
  return end.exitCode === CONFIG_ERROR || (end.exitCode === PANIC && end.answeredForMs === 0);
}

/** A refusal carries the core's own words. */
function reasonOfFailure(error: unknown): string {
  if (error instanceof DomainError) return error.text;
  return error instanceof Error ? error.message : String(error);
}
