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
/** Delay of the retry after a failure; only the second failure in a row counts as down. */
const AGAIN_MS = 3 * SECOND;

/** How often each part is read while the page is open, and while only notifications need it. */
const PARTS = {
  status: { shownMs: 5 * SECOND, watchingMs: MINUTE },
  clients: { shownMs: 30 * SECOND, watchingMs: 5 * MINUTE },
  line: { shownMs: 60 * MINUTE, watchingMs: null },
  certificates: { shownMs: 15 * MINUTE, watchingMs: 60 * MINUTE },
  lists: { shownMs: 2 * MINUTE, watchingMs: 10 * MINUTE },
  everyClient: { shownMs: 10 * MINUTE, watchingMs: null },
} as const;
type Part = keyof typeof PARTS;

/** Unchanged clients are read again after this time, for their counters. */
const UNCHANGED_MS = 6 * 60 * MINUTE;

export interface ReaderDeps {
  facts: Facts;
  lists: Lists;
  /** ETag of the stored clients, and when they were read. */
  clientsMark: string;
  clientsReadAtMs: number;
  /** Token that a session needs for changes, and for the one list that is read by POST. */
  isSession: boolean;
  link: Link;
  clock: () => number;
  monotonic: () => number;
  /** Limits how many panels are in a large reading at once. */
  inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  /** When the certificate presented by the panel expires; null: none. */
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
    // A single list that fails says nothing about the panel; its status does.
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
     * Reads the part that has been due longest, if any.
     * @returns when to come again, in ms since the epoch; infinity = not in this mode
     */
    async readNext(mode: ReadMode): Promise<number> {
      if (mode === 'off') return Number.POSITIVE_INFINITY;
      // While a panel does not answer only its status is read.
      const parts = facts.state === 'ok' && failures === 0 ? (Object.keys(PARTS) as Part[]) : (['status'] as const);
      const next = parts.toSorted((one, other) => dueAtMs(one, mode) - dueAtMs(other, mode))[0]!;
      if (dueAtMs(next, mode) > clock()) return dueAtMs(next, mode);
      readAtMs.set(next, clock());
      // It may take minutes, and waits for its turn: the figures are read meanwhile.
      if (next === 'everyClient') void readEveryClient();
      else await read(next);
      return clock();
    },
    /** Marks everything as due. */
    refresh(): void {
      readAtMs.clear();
      clientsReadAtMs = 0;
    },
    /** Forgets failures that say nothing about the panel. */
    forgive(): void {
      failures = 0;
      readAtMs.delete('status');
    },
  };
}
