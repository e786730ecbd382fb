import type { CoreConfigSource, InboundSource, JsonObject, LeftOut } from './config/source.ts';

/**
 * `stop`: not running, on request or because it never started. `error`: the process ended or failed to start by itself,
 * or has not answered for minutes.
 */
export type CoreState = 'running' | 'stop' | 'error';

export interface CoreStatus {
  state: CoreState;
  /** `26.7.28`, or `Unknown` without a usable binary. */
  version: string;
  /** Why the state is `error`; empty otherwise. */
  errorText: string;
  pid: number | null;
  /** Identity of the running process's counters; survives a panel restart, changes with every core process. */
  bootId: string | null;
  startedAtMs: number | null;
  /** Starts after an unplanned end, since this panel started. */
  restarts: { count: number; lastAtMs: number | null };
  /** What the running config had to leave out, with reasons. */
  leftOut: readonly LeftOut[];
}

/** How a change reached the core. `failed` leaves a pending restart that is retried; the text is the core's message. */
export type ApplyResult =
  | { kind: 'unchanged' | 'live' | 'restarted' | 'notRunning' }
  | { kind: 'failed'; text: string };

/**
 * What changed in the store, after its commit. The core reads the desired state again and brings itself in line with
 * it, so a change that is reported twice or late does no harm.
 */
export interface CoreChange {
  /** Inbounds added, edited, enabled, disabled or deleted (the tags they ran under come from the snapshot). */
  inboundIds?: readonly number[];
  /** Clients whose entry on these inbounds may differ: added, removed, enabled, disabled, new credentials, renamed. */
  users?: readonly { inboundId: number; emails: readonly string[] }[];
  /** Template, outbounds, routing or anything else: rebuild and compare the whole config. */
  everything?: boolean;
}

/** Reads the desired state. The runtime implements it over the store; the core never sees a table. */
export interface DesiredState {
  /** @param template instead of the stored one, which is not read then */
  full(template?: JsonObject): Promise<CoreConfigSource>;
  /** The inbound as it should run now, or null when it should not run here. */
  inbound(inboundId: number): Promise<InboundSource | null>;
  /**
   * Like {@link inbound}, but `clients` holds only those of `emails` that may connect; the other clients are left
   * alone.
   */
  inboundUsers(inboundId: number, emails: readonly string[]): Promise<InboundSource | null>;
}

/** Absolute counters since the core process started, in bytes. */
export interface CounterReading {
  bootId: string;
  readAtMs: number;
  users: CounterTable;
  inbounds: CounterTable;
  outbounds: CounterTable;
}

/** Columnar, so that 100,000 counters cost no objects: names[i] has up[i] and down[i]. */
export interface CounterTable {
  names: string[];
  /** A number for each name, from 0; the same in every reading of a process. */
  numbers: Int32Array;
  up: Float64Array;
  down: Float64Array;
}

/** A user with at least one open connection. */
export interface OnlineUser {
  email: string;
  /** Addresses without brackets, with the moment of the last dispatch in ms. */
  ips: { ip: string; lastSeenMs: number }[];
}

export interface ConfigVerdict {
  ok: boolean;
  /** The core's own message, temp paths removed; empty when ok. */
  text: string;
  /** Warnings about what the core accepts; none when it refuses, or is absent. */
  warnings?: readonly string[];
}

/** The one proxy core of this panel. Every method that changes it is serialised behind one lock. */
export interface Core {
  status(): CoreStatus;
  /** Called on every change of {@link CoreStatus.state}. Returns the unsubscribe function. */
  onState(listener: (status: CoreStatus) => void): () => void;
  /**
   * Runs before any planned end of the running core (stop, restart, shutdown, end of an orphan), for the final read,
   * and again when it is gone: {@link readCounters} then returns its last counters.
   */
  onBeforeStop(listener: () => Promise<void>): void;
  /** Brings the core up at panel start: ends an orphan after its final read, then starts. Never throws; see status. */
  boot(): Promise<void>;
  /** Ends what runs, after its final read, and what an earlier panel left; {@link boot} starts it again. */
  rest(): Promise<void>;
  /** On the operator's request: stays down until {@link restart}. @throws {DomainError} `core.notRunning` */
  stop(): Promise<void>;
  /**
   * On the operator's request, forced. Tests the new config before the old process ends. @throws {DomainError}
   * `core.configInvalid`, `core.noVerdict`: the old process runs on
   */
  restart(reason: string): Promise<void>;
  /** Part of the panel's stop: final read, polite stop, forced stop. */
  close(): Promise<void>;
  apply(change: CoreChange): Promise<ApplyResult>;
  /**
   * Whether the core would start with this desired state; checked before a change is stored. Ok when there is no core.
   * @throws {DomainError} `core.noVerdict`
   */
  test(source: CoreConfigSource): Promise<ConfigVerdict>;
  /** The assembled config of the desired state, as `getConfigJson` shows it. */
  assembled(): Promise<JsonObject>;
  /** Latest output of a core that is not running; empty while it runs. */
  lastOutput(): string;
  /** Output of the run before this one, or of the last one while none runs, and how it ended; null before a first end. */
  previousRun(): { endedAtMs: number; how: string; output: string } | null;
  /** Null when the core does not run. */
  readCounters(): Promise<CounterReading | null>;
  /** Users with open connections; null when the core is too old to tell or not running. */
  onlineUsers(): Promise<OnlineUser[] | null>;
  /** Ports on loopback that the core itself occupies (API over TCP, metrics): inbounds must not take them. */
  reservedPorts(): { port: number; use: string }[];
}
