import type { StoredClient } from '../../bridge/panels.ts';
import type { Link } from '../../connections/link.ts';
import type { ReadMode } from '../messages.ts';
import { addToLine, joinLine, type Facts, type Lists } from './facts.ts';
import { readCall, ReadFailure } from './limited-call.ts';
import { countClients, readClientFigures, readClients } from './read-clients.ts';
import { readThroughput } from './read-history.ts';
import {
  orNone,
  readBackup,
  readCertificates,
  readHosts,
  readInbounds,
  readNodes,
  readSettings,
} from './read-lists.ts';
import { readStatus } from './read-status.ts';
import { plainText } from './tolerant.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** After a failure it is tried again this soon; only the second one in a row says that the panel is away. */
const AGAIN_MS = 3 * SECOND;

/** How often each part is read while the home is shown, and while only notifications want to know. */
const PARTS = {
  status: { shownMs: 5 * SECOND, watchingMs: MINUTE },
  clients: { shownMs: 30 * SECOND, watchingMs: 5 * MINUTE },
  line: { shownMs: 60 * MINUTE, watchingMs: null },
  certificates: { shownMs: 15 * MINUTE, watchingMs: 60 * MINUTE },
  lists: { shownMs: 2 * MINUTE, watchingMs: 10 * MINUTE },
  everyClient: { shownMs: 10 * MINUTE, watchingMs: null },
} as const;
type Part = keyof typeof PARTS;

/** Clients that did not change are read again all the same after this time: their counters did. */
const UNCHANGED_MS = 6 * 60 * MINUTE;

export interface ReaderDeps {
  facts: Facts;
  lists: Lists;
  /** Mark of the clients that are kept, and when they were read. */
  clientsMark: string;
  clientsReadAtMs: number;
  /** A panel behind a session wants this proof with changes, and with the one list that is asked for like one. */
  isSession: boolean;
  link: Link;
  clock: () => number;
  monotonic: () => number;
  /** Large readings of all panels go few at a time. */
  inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  /** When the certificate that the panel shows ends; null: none. */
  shownEndsAtMs: () => number | null;
  on: {
    facts: (facts: Facts) => void;
    lists: (lists: Lists) => void;
    clients: (clients: StoredClient[], mark: string) => Promise<void>;
  };
}

/** Reads one panel, part by part, one call at a time. */
export function createPanelReader(deps: ReaderDeps) {
  const { link, clock, monotonic, on } = deps;
  let { facts, lists, clientsMark, clientsReadAtMs } = deps;
  let failures = 0;
  let knownMark: string | null = null;
  let isReadingClients = false;
  const readAtMs = new Map<Part, number>();
  if (lists.readAtMs > 0) readAtMs.set('lists', lists.readAtMs);

  function change(part: Partial<Facts>): void {
    facts = { ...facts, ...part };
    on.facts(facts);
  }

  const work: Record<Part, () => Promise<void>> = {
    async status() {
      const startedMs = monotonic();
      const { machine, matters } = await readStatus(link);
      const nowMs = clock();
      failures = 0;
      const { upPerSec, downPerSec } = machine;
      const isKnown = upPerSec !== null || downPerSec !== null;
      change({
        state: 'ok',
        detail: '',
        sinceMs: facts.state === 'ok' ? facts.sinceMs : nowMs,
        readAtMs: nowMs,
        latencyMs: Math.round(monotonic() - startedMs),
        machine,
        statusMatters: matters,
        shownEndsAtMs: deps.shownEndsAtMs(),
        line: isKnown
          ? addToLine(facts.line, { atMs: nowMs, bytesPerSec: (upPerSec ?? 0) + (downPerSec ?? 0) })
          : facts.line,
      });
    },
    async clients() {
      const read = await readClientFigures(link);
      knownMark = read?.mark ?? null;
      if (read !== null) change({ clients: read.figures });
    },
    async line() {
      change({ line: joinLine(await orNone(readThroughput(link), []), facts.line) });
    },
    async certificates() {
      const certificates = await readCertificates(link);
      change({ certificates, backupAtMs: await readBackup(link) });
    },
    async lists() {
      const inbounds = await readInbounds(link);
      const hosts = await readHosts(link);
      const nodes = await readNodes(link);
      lists = { inbounds, hosts, nodes, settings: await readSettings(link, await csrfToken()), readAtMs: clock() };
      on.lists(lists);
    },
    async everyClient() {
      const isUnchanged = knownMark !== null && knownMark === clientsMark;
      if (isUnchanged && clientsReadAtMs > clock() - UNCHANGED_MS) return;
      const clients: StoredClient[] = [];
      const mark = knownMark ?? '';
      await deps.inTurn(() => readClients(link, (client) => clients.push(client)));
      clientsMark = mark;
      clientsReadAtMs = clock();
      await on.clients(clients, mark);
      if (mark === '') change({ clients: countClients(clients, clientsReadAtMs) });
    },
  };

  async function csrfToken(): Promise<string | undefined> {
    if (!deps.isSession) return undefined;
    const token = await orNone(readCall(link, { path: '/panel/csrf-token' }, { ms: 8_000, bytes: 16_384 }), '');
    return typeof token === 'string' ? token.slice(0, 256) : undefined;
  }

  function fail(error: unknown, part: Part): void {
    if (!(error instanceof ReadFailure)) throw error;
    // One list that a panel does not give is no reason to doubt the panel; its status is.
    if (part !== 'status') return void (error.trouble === 'down' && readAtMs.delete('status'));
    failures += 1;
    const state = error.trouble === 'absent' ? 'wrong' : error.trouble;
    if (state === 'down' && failures < 2 && facts.state !== 'waiting') return;
    if (facts.state === state && facts.detail === error.message) return;
    change({
      state,
      detail: plainText(error.message),
      sinceMs: facts.state === state ? facts.sinceMs : clock(),
      latencyMs: null,
    });
  }

  async function read(part: Part): Promise<void> {
    try {
      await work[part]();
    } catch (error) {
      fail(error, part);
    }
  }

  async function readEveryClient(): Promise<void> {
    isReadingClients = true;
    await read('everyClient');
    isReadingClients = false;
  }

  function dueAtMs(part: Part, mode: Exclude<ReadMode, 'off'>): number {
    const last = readAtMs.get(part);
    const everyMs = PARTS[part][mode === 'shown' ? 'shownMs' : 'watchingMs'];
    if (everyMs === null) return Number.POSITIVE_INFINITY;
    if (part === 'everyClient' && isReadingClients) return Number.POSITIVE_INFINITY;
    if (last === undefined) return 0;
    return (
      last + (part === 'status' && failures > 0 ? Math.min(everyMs, AGAIN_MS * 2 ** Math.min(failures, 4)) : everyMs)
    );
  }

  return {
    facts: (): Facts => facts,
    lists: (): Lists => lists,
    /**
     * Reads the part that is due longest, if one is.
     * @returns when to come again, in ms since the epoch; infinity = not in this mode
     */
    async readNext(mode: ReadMode): Promise<number> {
      if (mode === 'off') return Number.POSITIVE_INFINITY;
      // Of a panel that does not answer only the status is asked for.
      const parts = facts.state === 'ok' && failures === 0 ? (Object.keys(PARTS) as Part[]) : (['status'] as const);
      const next = parts.toSorted((one, other) => dueAtMs(one, mode) - dueAtMs(other, mode))[0]!;
      if (dueAtMs(next, mode) > clock()) return dueAtMs(next, mode);
      readAtMs.set(next, clock());
      // It may take minutes, and waits for its turn: the figures go on meanwhile.
      if (next === 'everyClient') void readEveryClient();
      else await read(next);
      return clock();
    },
    /** Everything is due. */
    refresh(): void {
      readAtMs.clear();
      clientsReadAtMs = 0;
    },
    /** What failed meanwhile says nothing about the panel. */
    forgive(): void {
      failures = 0;
      readAtMs.delete('status');
    },
  };
}
