import type { Core, CoreStatus, CounterReading, CounterTable, OnlineUser } from '../core/core.ts';
import type { AddressBlock } from '../core/sessions/address-blocks.ts';
import type { Replaced } from '../core/sessions/replace-inbounds.ts';
import type { CutTarget, SocketCutter } from '../core/sessions/socket-cutter.ts';

type Kind = 'users' | 'inbounds' | 'outbounds';

/** A core for accounting tests: a process with counters that a test moves. */
export interface CountingCore extends Pick<
  Core,
  'status' | 'onState' | 'onBeforeStop' | 'readCounters' | 'onlineUsers'
> {
  readonly sockets: SocketCutter;
  /** Whether this machine lets single connections be ended. */
  canCut: boolean;
  /** Open TCP connections as `port address`; ended ones leave the set. */
  connections: Set<string>;
  /** Connections that were requested to end. */
  cuts: CutTarget[];
  /** Inbounds that were added again. */
  replaced: number[][];
  hasConnections(emails: readonly string[]): Promise<boolean | null>;
  replaceInbounds(inboundIds: readonly number[]): Promise<Replaced>;
  /** How often all connected clients were read. */
  onlineReads: number;
  /** Blocks in force, as `address email`. */
  blocks: string[];
  blockAddresses(blocks: readonly AddressBlock[]): Promise<boolean>;
  /** Adds bytes to a counter of the running process; a stopped core moves nothing. */
  move(kind: Kind, name: string, up: number, down: number): void;
  /** Sets a counter from outside, as a reset by another tool or a damaged value does. */
  set(kind: Kind, name: string, up: number, down: number): void;
  online: OnlineUser[] | null;
  /** Ends the process after the final read, as a planned stop does. */
  stop(): Promise<void>;
  /** Ends the process without any read. */
  crash(): void;
  start(): void;
  /** Planned restart. */
  restart(): Promise<void>;
  /** Listeners are gone, the process lives on: the panel was killed. */
  losePanel(): void;
  /** What the next call of readCounters returns instead. */
  nextReading: CounterReading | null;
  reads: number;
}

export function countingCore(clock: () => number): CountingCore {
  let boot: {
    id: string;
    startedAtMs: number;
    counters: Record<Kind, Map<string, { up: number; down: number }>>;
  } | null = null;
  let boots = 0;
  let beforeStop: (() => Promise<void>)[] = [];
  let listeners = new Set<(status: CoreStatus) => void>();

  const status = (): CoreStatus => ({
    state: boot === null ? 'stop' : 'running',
    version: '26.7.28',
    errorText: '',
    pid: boot === null ? null : 1000 + boots,
    bootId: boot?.id ?? null,
    startedAtMs: boot?.startedAtMs ?? null,
    restarts: { count: 0, lastAtMs: null },
    leftOut: [],
  });
  const announce = (): void => {
    for (const listener of listeners) listener(status());
  };

  const core: CountingCore = {
    nextReading: null,
    online: [],
    reads: 0,
    status,
    onState(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onBeforeStop: (listener) => void beforeStop.push(listener),
    async readCounters() {
      core.reads += 1;
      const given = core.nextReading;
      core.nextReading = null;
      if (given !== null) return given;
      if (boot === null) return null;
      const { counters, id } = boot;
      return {
        bootId: id,
        readAtMs: clock(),
        users: tableOf(counters.users),
        inbounds: tableOf(counters.inbounds),
        outbounds: tableOf(counters.outbounds),
      };
    },
    onlineReads: 0,
    async onlineUsers() {
      core.onlineReads += 1;
      return boot === null ? null : core.online;
    },
    async hasConnections(emails) {
      if (boot === null || core.online === null) return null;
      return core.online.some(({ email }) => emails.includes(email));
    },
    canCut: false,
    connections: new Set(),
    cuts: [],
    replaced: [],
    blocks: [],
    sockets: {
      ability: async () => ({ canCut: core.canCut, reason: core.canCut ? '' : 'not on this machine' }),
      async cut(targets) {
        core.cuts.push(...targets);
        return targets.flatMap(({ port, addresses }) =>
          addresses.flatMap((address) =>
            core.connections.delete(`${port} ${address}`) ? [{ port, address, count: 1 }] : [],
          ),
        );
      },
    },
    async replaceInbounds(inboundIds) {
      core.replaced.push([...inboundIds]);
      return boot === null ? 'notRunning' : 'replaced';
    },
    async blockAddresses(blocks) {
      if (boot === null) return false;
      core.blocks = blocks.map(({ email, address }) => `${address} ${email}`);
      return true;
    },
    move(kind, name, up, down) {
      if (boot === null) return;
      const counter = boot.counters[kind].get(name) ?? { up: 0, down: 0 };
      boot.counters[kind].set(name, { up: counter.up + up, down: counter.down + down });
    },
    set: (kind, name, up, down) => void boot?.counters[kind].set(name, { up, down }),
    async stop() {
      // As in the real one: a failed count does not keep it from ending.
      for (const listener of beforeStop) await listener().catch(() => undefined);
      boot = null;
      announce();
    },
    crash() {
      boot = null;
      announce();
    },
    start() {
      boots += 1;
      boot = {
        id: `boot-${boots}`,
        startedAtMs: clock(),
        counters: { users: new Map(), inbounds: new Map(), outbounds: new Map() },
      };
      announce();
    },
    async restart() {
      if (boot !== null) await core.stop();
      core.start();
    },
    losePanel() {
      beforeStop = [];
      listeners = new Set();
    },
  };
  core.start();
  return core;
}

function tableOf(counters: ReadonlyMap<string, { up: number; down: number }>): CounterTable {
  return {
    names: [...counters.keys()],
    numbers: Int32Array.from(counters.keys(), (_, at) => at),
    up: Float64Array.from(counters.values(), ({ up }) => up),
    down: Float64Array.from(counters.values(), ({ down }) => down),
  };
}
