import type { StoredClient } from '../../bridge/panels.ts';
import type { Link } from '../../connections/link.ts';
import type { ReadMode } from '../messages.ts';
import { addToLine, joinLine, type Facts, type Lists } from './facts.ts';
import { createClientReader } from './client-reader.ts';
import { ReadFailure } from './limited-call.ts';
import { readThroughput } from './read-history.ts';
import {
  orNone,
  readBackup,
  readCertificates,
  readCsrfToken,
  readHosts,
  readInbounds,
  readNodes,
  readSettings,
} from './read-lists.ts';
import { createReadSchedule, EVERY_PART, type Part } from './read-schedule.ts';
import { readStatus } from './read-status.ts';
import { plainText } from './tolerant.ts';

const STATUS: readonly Part[] = ['status'];

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
  let { facts, lists } = deps;
  let failures = 0;
  let isReadingClients = false;
  const clientReader = createClientReader({ ...deps, onClients: on.clients });
  const schedule = createReadSchedule();
  if (lists.readAtMs > 0) schedule.wasRead('lists', lists.readAtMs);

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
      const clients = await clientReader.readCounts();
      if (clients !== null) change({ clients });
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
      const token = deps.isSession ? await readCsrfToken(link) : undefined;
      lists = { inbounds, hosts, nodes, settings: await readSettings(link, token), readAtMs: clock() };
      on.lists(lists);
    },
    async everyClient() {
      const clients = await clientReader.readAll();
      if (clients !== null) change({ clients });
    },
  };

  function fail(error: unknown, part: Part): void {
    if (!(error instanceof ReadFailure)) throw error;
    // A single list that fails says nothing about the panel; its status does.
    if (part !== 'status') return void (error.trouble === 'down' && schedule.forget('status'));
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
      const isUp = facts.state === 'ok' && failures === 0;
      const parts = isUp ? EVERY_PART.filter((each) => each !== 'everyClient' || !isReadingClients) : STATUS;
      const { part, atMs } = schedule.next(parts, mode, failures);
      if (atMs > clock()) return atMs;
      schedule.wasRead(part, clock());
      // It may take minutes, and waits for its turn: the figures are read meanwhile.
      if (part === 'everyClient') void readEveryClient();
      else await read(part);
      return clock();
    },
    /** Marks everything as due. */
    refresh(): void {
      schedule.forget();
      clientReader.refresh();
    },
    /** Forgets failures that say nothing about the panel. */
    forgive(): void {
      failures = 0;
      schedule.forget('status');
    },
  };
}
