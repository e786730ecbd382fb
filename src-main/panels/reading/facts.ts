import type {
  ClientFigures,
  MachineFigures,
  PanelCard,
  PanelInventory,
  PanelMatter,
  PanelState,
} from '../../bridge/panels.ts';
import { listMatters } from './read-lists.ts';
import type { Throughput } from './read-history.ts';

const MINUTE_MS = 60_000;
/** Minutes of the line. */
const LINE = 60;
/** A panel with automatic backups makes one a day. */
const BACKUP_OLD_MS = 3 * 86_400_000;
/** How long before its expiry a certificate needs the operator. */
const CERTIFICATE_SOON_MS = 14 * 86_400_000;
const MAX_MATTERS = 50;

/** Data on one panel: stored sealed, and shown when the panel does not answer. */
export interface Facts {
  state: PanelState;
  detail: string;
  sinceMs: number;
  readAtMs: number;
  latencyMs: number | null;
  machine: MachineFigures | null;
  statusMatters: PanelMatter[];
  clients: ClientFigures | null;
  certificates: { matters: PanelMatter[]; endsAtMs: number | null };
  /** When the certificate presented by the panel itself expires; null: it presents none. */
  shownEndsAtMs: number | null;
  backupAtMs: number | null;
  line: Throughput[];
}

/** Lists of a panel, as they were last read. */
export type Lists = Pick<PanelInventory, 'inbounds' | 'hosts' | 'nodes' | 'settings' | 'readAtMs'>;
export const NO_LISTS: Lists = { inbounds: [], hosts: [], nodes: [], settings: [], readAtMs: 0 };

export const noFacts = (nowMs: number): Facts => ({
  state: 'waiting',
  detail: '',
  sinceMs: nowMs,
  readAtMs: 0,
  latencyMs: null,
  machine: null,
  statusMatters: [],
  clients: null,
  certificates: { matters: [], endsAtMs: null },
  shownEndsAtMs: null,
  backupAtMs: null,
  line: [],
});

/** Stored data may come from an earlier version of this application. */
export function factsFrom(kept: unknown, nowMs: number): Facts {
  const none = noFacts(nowMs);
  if (typeof kept !== 'object' || kept === null) return none;
  return { ...none, ...(kept as Facts), state: 'waiting', detail: '', sinceMs: nowMs };
}

/** Adds a reading, and drops those older than the line. */
export function addToLine(line: readonly Throughput[], reading: Throughput): Throughput[] {
  return [...line, reading].filter(({ atMs }) => atMs > reading.atMs - LINE * MINUTE_MS);
}

/** The panel's own history replaces what is older than our first reading. */
export function joinLine(remembered: readonly Throughput[], line: readonly Throughput[]): Throughput[] {
  const firstMs = line[0]?.atMs ?? Number.POSITIVE_INFINITY;
  return [...remembered.filter(({ atMs }) => atMs < firstMs), ...line].slice(-LINE * 60);
}

function lineOf(readings: readonly Throughput[], nowMs: number): (number | null)[] {
  const sums = Array.from({ length: LINE }, () => ({ sum: 0, count: 0 }));
  for (const { atMs, bytesPerSec } of readings) {
    const bucket = sums[LINE - 1 - Math.floor((nowMs - atMs) / MINUTE_MS)];
    if (bucket === undefined) continue;
    bucket.sum += bytesPerSec;
    bucket.count += 1;
  }
  return sums.map(({ sum, count }) => (count === 0 ? null : Math.round(sum / count)));
}

/** A panel's card for the page. */
export function cardOf(id: string, facts: Facts, lists: Lists, nowMs: number): PanelCard {
  const { certificates, shownEndsAtMs, statusMatters, backupAtMs } = facts;
  const ends = [certificates.endsAtMs, shownEndsAtMs].filter((atMs) => atMs !== null);
  const isKnown = certificates.matters.length > 0;
  const isRead = lists.readAtMs > 0;
  return {
    id,
    state: facts.state,
    detail: facts.detail,
    sinceMs: facts.sinceMs,
    readAtMs: facts.readAtMs,
    latencyMs: facts.latencyMs,
    machine: facts.machine,
    clients: facts.clients,
    inbounds: isRead
      ? { total: lists.inbounds.length, on: lists.inbounds.filter(({ enable }) => enable).length }
      : null,
    nodes: isRead
      ? {
          total: lists.nodes.length,
          offline: lists.nodes.filter(({ enable, status }) => enable && status === 'offline').length,
        }
      : null,
    certificateEndsAtMs: ends.length === 0 ? null : Math.min(...ends),
    backupAtMs,
    matters: [
      ...statusMatters,
      ...certificates.matters,
      ...(isKnown || shownEndsAtMs === null ? [] : shownMatter(shownEndsAtMs, nowMs)),
      ...listMatters(lists.inbounds, lists.nodes, nowMs),
      ...(backupAtMs !== null && backupAtMs > 0 && backupAtMs < nowMs - BACKUP_OLD_MS
        ? [{ kind: 'backupOld' as const, name: '', value: backupAtMs, words: '' }]
        : []),
    ].slice(0, MAX_MATTERS),
    line: lineOf(facts.line, nowMs),
  };
}

function shownMatter(endsAtMs: number, nowMs: number): PanelMatter[] {
  if (endsAtMs > nowMs + CERTIFICATE_SOON_MS) return [];
  const kind = endsAtMs <= nowMs ? 'certificateEnded' : 'certificateEnding';
  return [{ kind, name: '', value: endsAtMs, words: '' }];
}
