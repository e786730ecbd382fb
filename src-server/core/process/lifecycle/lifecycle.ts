import { mkdirSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { isDatabaseAway } from '../../../contract/database-away.ts';
import { DomainError } from '../../../contract/domain-error.ts';
import type { Logger } from '../../../contract/logger.ts';
import type { Schedule, Timer } from '../../../contract/schedule.ts';
import type { CoreApi } from '../../api/core-api.ts';
import { listenText } from '../../api/endpoint.ts';
import { objectOf, textOf } from '../../apply/compare/inbound-parts.ts';
import type { FoundCore } from '../../binary/locate.ts';
import { speaksQuic } from '../../config/inbound/inbound-rules.ts';
import type { JsonObject } from '../../config/source.ts';
import type { DesiredState } from '../../core.ts';
import type { ApiPlace } from '../api-place.ts';
import type { CheckConfig } from '../config-check.ts';
import type { CoreEnd, CoreProcess } from '../core-process.ts';
import { CoreState } from './core-state.ts';
import { FinalRead } from './final-read.ts';
import { createLaunch, UNKNOWN_END, type Assembled } from './launch.ts';
import { createLine } from '../../../concurrency.ts';
import { endOrphans } from '../orphan.ts';
import { CONFIG_FILE, PID_FILE } from '../recorded-core.ts';
import type { RestartState } from './restart-policy.ts';
import { afterEnd, FRESH } from './restart-policy.ts';
import type { ConfigBuilder, Session } from '../session.ts';

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

const CRASH_REPORT_EVERY_MS = 60_000;
const CONFIG_ERROR = 23;
const PANIC = 2;
const AWAY_RETRY_MS = 1_000;

/**
 * Start, stop, restart and crash of the one core process. Methods with `Locked` in their name expect the caller to run
 * in {@link Lifecycle.inLine}; the others take the lock themselves.
 */
export class Lifecycle {
  readonly inLine = createLine();
  readonly configPath: string;
  session: Session | null = null;
  /** What the panel shows of it. */
  readonly state: CoreState;
  isClosed = false;
  isStoppedByHand = false;
  readonly #deps: LifecycleDeps;
  readonly #pidFile: string;
  readonly #launch: ReturnType<typeof createLaunch>;
  readonly #finalRead: FinalRead;
  #policy: RestartState = FRESH;
  /** Whether the last start failed for a reason that waiting does not cure. */
  #isWaitingForConfig = false;
  #restart: Timer | null = null;
  #hasEndedOrphans = false;
  #lastCrashReportMs = -Infinity;
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
    const running = (): Session | null => this.session;
    this.state = new CoreState(deps, running);
    this.#finalRead = new FinalRead(deps.log, running);
    this.#launch = createLaunch({
      ...deps,
      configPath: this.configPath,
      pidFile: this.#pidFile,
      isAborted: () => this.isClosed,
    });
  }

  get version(): string {
    return this.state.version;
  }

  /** True from the final read of a core until it is gone. */
  get isEnding(): boolean {
    return this.#finalRead.isEnding;
  }

  /** The source of counters. */
  get readable(): FinalRead['readable'] {
    return this.#finalRead.readable;
  }

  /** Whether a start is waiting for a changed config. */
  get isWaitingForConfig(): boolean {
    return this.session === null && this.#isWaitingForConfig && !this.isStoppedByHand && !this.isClosed;
  }

  /** Whether the next start is put off after one that failed. */
  get isBackingOff(): boolean {
    return this.session === null && this.#restart !== null;
  }

  onBeforeStop(listener: () => Promise<void>): void {
    this.#finalRead.onBeforeStop(listener);
  }

  /** Notes whether a call to this core was answered. */
  noteCall(api: CoreApi, hasResponded: boolean): void {
    if (!this.isEnding) this.state.noteCall(api, hasResponded);
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
      this.state.announce();
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
    this.#isWaitingForConfig = false;
    this.state.forgetFailure();
    this.state.announce();
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
    const assembled = await this.#launch.assemble(listenText(endpoint), this.version);
    const reduced = await this.#launch.reduce(assembled, await check(assembled.config));
    if (reduced.reason !== '') {
      if (this.session === null) {
        this.#cancelRestart();
        this.#fail(reduced.reason, true);
      }
      throw new DomainError('core.configInvalid', { text: reduced.reason });
    }
    log.info('core.restart', { reason });
    this.#cancelRestart();
    const end = await this.#exchangeLocked(found.path, endpoint, reduced);
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
      return await this.#launchLocked(binary, endpoint, assembled);
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
      const assembled = await this.#launch.assemble(listenText(endpoint), this.version);
      let end = await this.#launchLocked(found.path, endpoint, assembled);
      if (end && isConfigFault(end)) {
        const reduced = await this.#launch.reduce(assembled, end.text);
        if (reduced.reason === '') end = await this.#launchLocked(found.path, endpoint, reduced);
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

  /** Where the API of the running core listens, or would listen. */
  async assembledConfig(): Promise<JsonObject> {
    const endpoint = this.session?.process.endpoint ?? (await this.#deps.place.next());
    if (this.version === 'Unknown') await this.#locate();
    return (await this.#launch.assemble(listenText(endpoint), this.version)).config;
  }

  async #locate(): Promise<FoundCore> {
    const found = await this.#deps.locate();
    this.state.version = found.ok ? found.version : 'Unknown';
    // The kernel reports the real path of an executable; the record must contain the same.
    return found.ok ? { ...found, path: await realpath(found.path) } : found;
  }

  /** Null when the core runs. */
  async #launchLocked(
    binary: string,
    endpoint: CoreProcess['endpoint'],
    assembled: Assembled,
  ): Promise<CoreEnd | null> {
    if (!this.#hasEndedOrphans) await this.#endOrphansLocked();
    const launched = await this.#launch.launch(binary, endpoint, assembled);
    if (!launched.ok) {
      this.state.noteFailedStart(launched);
      return launched.end;
    }
    const { session } = launched;
    const { process: core } = session;
    this.session = session;
    this.#finalRead.followRunning();
    this.state.noteStart();
    this.#isWaitingForConfig = false;
    void core.ended.then((end) => this.#onEnd(core, end));
    this.onStarted([...session.waiting.keys()]);
    this.state.announce();
    this.#deps.log.info('core.started', { pid: core.pid, version: this.version, leftOut: session.leftOut.length });
    return null;
  }

  /** Handles a process that ended without being stopped. */
  async #onEnd(core: CoreProcess, end: CoreEnd): Promise<void> {
    if (this.session?.process !== core) return;
    this.state.noteEnd(this.session, end.wasRequested ? '' : end.text);
    this.session = null;
    // The last counters of a core that is being ended are still to be committed.
    if (!this.isEnding) this.#finalRead.followRunning();
    // One that ends late for a restart is missing like one that ended by itself.
    if ((end.wasRequested && (this.isEnding || this.isStoppedByHand)) || this.isClosed) return;
    this.state.noteEndedByItself();
    const now = this.#deps.clock();
    const level = now - this.#lastCrashReportMs >= CRASH_REPORT_EVERY_MS ? 'error' : 'warn';
    if (level === 'error') this.#lastCrashReportMs = now;
    this.#deps.log[level]('core.crash', { pid: core.pid, exitCode: end.exitCode, signal: end.signal, text: end.text });
    await this.#launch.keepCrash(end);
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
    this.#isWaitingForConfig = isWaitingForConfig;
    this.state.noteFailure(text);
  }

  /**
   * Final read and end of the running core. A core asked to end keeps moving bytes until it has ended, so it is asked
   * politely only where its peers would otherwise never know; the kernel itself reports the connections it closes.
   */
  async #endLocked(): Promise<void> {
    const session = this.session;
    if (!session) return;
    await this.#finalRead.countToTheEnd(session.process.api, session.process.bootId, async () => {
      await session.process.stop(hasQuicPeers(session) ? 'polite' : 'firm');
      this.state.noteEnd(session, '');
      if (this.session === session) this.session = null;
      this.state.forgetFailure();
    });
  }

  async #endOrphansLocked(): Promise<void> {
    await endOrphans({
      pidFile: this.#pidFile,
      configPath: this.configPath,
      log: this.#deps.log,
      countToTheEnd: (api, bootId, end) => this.#finalRead.countToTheEnd(api, bootId, end),
    });
    this.#hasEndedOrphans = true;
  }

  #cancelRestart(): void {
    this.#restart?.cancel();
    this.#restart = null;
  }
}

const hasQuicPeers = ({ snapshot }: Session): boolean =>
  [...snapshot.inbounds.values()].some(({ frame }) =>
    speaksQuic(textOf(frame['protocol']), objectOf(frame['streamSettings'])),
  );

function isConfigFault(end: CoreEnd): boolean {
  return end.exitCode === CONFIG_ERROR || (end.exitCode === PANIC && end.respondedForMs === 0);
}

/** A refusal carries the core's own words. */
function reasonOfFailure(error: unknown): string {
  if (error instanceof DomainError) return error.text;
  return error instanceof Error ? error.message : String(error);
}
