import { cpus } from 'node:os';
import type { Store } from '../../../store/open-store.ts';
import type { ServedCertificates } from '../../server/contract.ts';
import * as rows from '../repository-watch.ts';
import type { EventService } from '../service.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
/** Days before its end at which a certificate is reported. */
const CERTIFICATE_DAYS = [14, 7, 1];

/** CPU ms of all processors since the machine started. */
export interface CpuTimes {
  busy: number;
  total: number;
}

export function cpuTimes(): CpuTimes {
  let busy = 0;
  let total = 0;
  for (const { times } of cpus()) {
    const all = times.user + times.nice + times.sys + times.idle + times.irq;
    total += all;
    busy += all - times.idle;
  }
  return { busy, total };
}

/**
 * Checks the average load of the last minute while anyone subscribes. Reported when it passes a subscriber's threshold,
 * and again after each hour above it, not every minute.
 */
export function createCpuWatch(deps: {
  events: Pick<EventService, 'take' | 'wantedBy'>;
  clock: () => number;
  read?: () => CpuTimes;
}): () => void {
  const { events, clock, read = cpuTimes } = deps;
  let before: CpuTimes | null = null;
  const notifiedAtMs = new Map<string, number>();
  return () => {
    if (events.wantedBy('cpu.high', { percent: 101 }).length === 0) {
      before = null;
      return;
    }
    const now = read();
    const last = before;
    before = now;
    if (last === null || now.total <= last.total) return;
    const percent = Math.round(((now.busy - last.busy) / (now.total - last.total)) * 1_000) / 10;
    const wanting = new Set(events.wantedBy('cpu.high', { percent }));
    for (const name of notifiedAtMs.keys()) if (!wanting.has(name)) notifiedAtMs.delete(name);
    const nowMs = clock();
    const isNews = [...wanting].some((name) => nowMs - (notifiedAtMs.get(name) ?? -Infinity) >= HOUR);
    if (!isNews) return;
    for (const name of wanting) notifiedAtMs.set(name, nowMs);
    events.take('cpu.high', { percent });
  };
}

/** Served certificates that end in 14, 7 or 1 days: each is reported once per step, and again after a renewal. */
export async function watchCertificates(deps: {
  store: Store;
  events: Pick<EventService, 'takeAll'>;
  served: () => Promise<readonly ServedCertificates[]>;
  clock: () => number;
}): Promise<void> {
  const { store, events, served, clock } = deps;
  const nowMs = clock();
  for (const { owner, inboundId, name, warnings } of await served()) {
    for (const { kind, at, file } of warnings) {
      const days = Math.ceil((at - nowMs) / DAY);
      const reached = CERTIFICATE_DAYS.filter((each) => days <= each).at(-1);
      if (kind !== 'expiring' || reached === undefined) continue;
      const key = `certificate ${owner} ${inboundId} ${file} ${at}`;
      const mark = await rows.markOf(store.reader, key);
      if (mark !== null && Number(mark) <= reached) continue;
      const facts = { owner, inboundId, name: name || file || owner, days, expiresAtMs: at };
      await events.takeAll('certificate.expiring', [facts]);
      await store.write((trx) => rows.setMark(trx, key, String(reached)));
    }
  }
}

/** Reports each newer version once. */
export async function watchUpdate(deps: {
  store: Store;
  events: Pick<EventService, 'takeAll' | 'wantedBy'>;
  kind: 'update.core' | 'update.panel';
  /** Null when there is none, or it cannot be found out. */
  newer: () => Promise<{ version: string; installed: string } | null>;
}): Promise<void> {
  const { store, events, kind, newer } = deps;
  // Without a subscriber, no server is asked.
  if (events.wantedBy(kind, {}).length === 0) return;
  const found = await newer();
  if (found === null || (await rows.markOf(store.reader, kind)) === found.version) return;
  await events.takeAll(kind, [{ ...found }]);
  await store.write((trx) => rows.setMark(trx, kind, found.version));
}
