import type * as z from 'zod';
import { DomainError } from '../../../contract/domain-error.ts';
import { foldText } from '../../../store/fold-text.ts';
import type { Store } from '../../../store/open-store.ts';
import type { HistoryQuery, HoursOfDay, SubjectQuery, TopClients, TrafficHistory } from '../contract.ts';
import { clientCounters } from '../ledger/repository-ledger.ts';
import { CLIENT_DAYS_KEPT } from './client-days.ts';
import { comparable, createPeriods, type PeriodRequest, type Period } from './periods.ts';
import { presentHistory } from './present-history.ts';
import * as days from './repository-client-days.ts';
import { sourceNames } from './repository-sources.ts';
import { sumsOf, type Stretch, type StretchSum } from './repository-totals.ts';
import { clientSums } from './sums-by-source.ts';

const DAY_MS = 86_400_000;
/** The oldest day that the ledger may have. */
const MAX_RANGE_MS = 5 * 366 * DAY_MS;
/** Hours of the day are available as long as quarter-hours are kept. */
const HOURS_BACK_DAYS = 30;

export interface HistoryServiceDeps {
  store: Store;
  /** IANA name of the panel's zone, empty = the system's. */
  timeZone: () => string;
  clock: () => number;
}

/** Extra candidates, since some clients may no longer exist. If that is not enough, all that exist are looked up. */
const SPARE = 100;

type Sums = (stretches: readonly Stretch[]) => Promise<StretchSum[]>;

/** Traffic charts, all from the ledger or from sums written with it. */
export function createHistoryService({ store, timeZone, clock }: HistoryServiceDeps) {
  /** @throws {DomainError} `traffic.clientUnknown`, `traffic.subjectUnknown` */
  async function sumsFor({ subject, name }: SubjectQuery): Promise<Sums> {
    const db = store.heavyReader;
    if (subject === 'all') return (stretches) => sumsOf(db, { kind: 'all', subject: '' }, stretches, null);
    if (subject === 'client') {
      const client = await clientCounters(db, foldText(name));
      if (client === undefined) throw new DomainError('traffic.clientUnknown', { email: name });
      return (stretches) => clientSums(db, client.id, stretches);
    }
    if (subject === 'group') {
      if (name === '') throw new DomainError('traffic.subjectUnknown', { name });
      return (stretches) => sumsOf(db, { kind: 'group', subject: name }, stretches, null);
    }
    if (subject === 'inbound') {
      const inbound = await store.reader
        .selectFrom('inbounds')
        .select('id')
        .where('id', '=', Number(name))
        .executeTakeFirst();
      if (inbound === undefined) throw new DomainError('traffic.subjectUnknown', { name });
      return (stretches) => sumsOf(db, { kind: 'inbound', subject: String(inbound.id) }, stretches, null);
    }
    const node = await store.reader
      .selectFrom('nodes')
      .select('guid')
      .where('id', '=', Number(name))
      .executeTakeFirst();
    if (node === undefined) throw new DomainError('traffic.subjectUnknown', { name });
    return (stretches) => sumsOf(db, { kind: 'all', subject: '' }, stretches, node.guid);
  }

  /** @throws {DomainError} `traffic.rangeEmpty`, `traffic.rangeTooLong` */
  function periodFor({ period, at, from, to, calendar }: HistoryQuery): Period {
    const periods = createPeriods(timeZone(), calendar);
    if (period !== 'range') return periods.periodOf({ period, atMs: at ?? clock() });
    const untilMs = to ?? clock();
    const request: PeriodRequest = { period, fromMs: from ?? untilMs - DAY_MS, untilMs };
    if (request.fromMs >= untilMs) throw new DomainError('traffic.rangeEmpty');
    if (untilMs - request.fromMs > MAX_RANGE_MS) throw new DomainError('traffic.rangeTooLong');
    return periods.periodOf(request);
  }

  /** Those of them that exist, with their e-mails. */
  async function existing(largest: readonly days.Moved[]): Promise<{ email: string; bytes: number }[]> {
    const emails = await days.emailsById(
      store.reader,
      largest.map(({ clientId }) => clientId),
    );
    return largest.flatMap(({ clientId, bytes }) => {
      const email = emails.get(clientId);
      return email === undefined ? [] : [{ email, bytes }];
    });
  }

  return {
    /**
     * Traffic of a subject in a period, by source, with the previous period, today and this month.
     * @throws {DomainError} `traffic.clientUnknown`, `traffic.subjectUnknown`, `traffic.rangeEmpty`,
     *   `traffic.rangeTooLong`
     */
    async read(query: HistoryQuery): Promise<z.input<typeof TrafficHistory>> {
      const nowMs = clock();
      const period = periodFor(query);
      const { periodOf } = createPeriods(timeZone(), query.calendar);
      const present = (['day', 'month'] as const).map((one) => periodOf({ period: one, atMs: nowMs }));
      const before = comparable(period, nowMs);
      const besides = [before, ...present.flatMap((one) => [one.whole, comparable(one, nowMs)])];
      const sums = await (await sumsFor(query))([...period.stretches, ...besides]);
      const names = await sourceNames(
        store.reader,
        sums.map(({ guid }) => guid),
      );
      return presentHistory({ period, before, sums, names, nowMs, timeZone: timeZone() });
    },

    /**
     * Traffic of a subject by hour of the day, over the last thirty days.
     * @throws {DomainError} `traffic.clientUnknown`, `traffic.subjectUnknown`
     */
    async hours(query: SubjectQuery): Promise<z.input<typeof HoursOfDay>> {
      const hours = createPeriods(timeZone(), 'gregory').hoursBack(clock(), HOURS_BACK_DAYS);
      const sums = await (await sumsFor(query))(hours);
      const up = Array.from({ length: 24 }, () => 0);
      const down = Array.from({ length: 24 }, () => 0);
      for (const { at, upBytes, downBytes } of sums) {
        const { hour } = hours[at]!;
        up[hour]! += upBytes;
        down[hour]! += downBytes;
      }
      return { days: HOURS_BACK_DAYS, up, down };
    },

    /**
     * The clients with the most traffic in a period, as far as its days are kept.
     * @throws {DomainError} `traffic.rangeEmpty`, `traffic.rangeTooLong`
     */
    async top(query: HistoryQuery & { limit: number }): Promise<z.input<typeof TopClients>> {
      const { whole } = periodFor(query);
      const mark = await days.clientDayMark(store.reader);
      const totals = await totalsByPage(store, whole);
      const { sum, clientCount, largest } = largestOf(totals, query.limit + SPARE);
      // Deleted clients count in the sum, and others move up.
      let clients = await existing(largest);
      if (clients.length < query.limit && largest.length < clientCount) {
        const ids = new Set(await days.clientIds(store.heavyReader));
        clients = await existing(largestOf(totals, query.limit, (clientId) => ids.has(clientId)).largest);
      }
      const keptFromMs = clock() - CLIENT_DAYS_KEPT * DAY_MS;
      return {
        from: Math.max(whole.startSec * 1000, keptFromMs),
        to: whole.endSec * 1000,
        countedUntil: mark === null ? 0 : (mark.bucketStartSec + 300) * 1000,
        bytes: sum,
        clientCount,
        clients: clients.slice(0, query.limit),
      };
    },
  };
}
export type HistoryService = ReturnType<typeof createHistoryService>;

/** One day at a time: all pages of a month would be one message of tens of megabytes between threads. */
async function totalsByPage(store: Store, { startSec, endSec }: Stretch): Promise<Map<number, Float64Array>> {
  const sums = new Map<number, Float64Array>();
  for (const daySec of await days.knownDays(store.heavyReader, startSec, endSec))
    for (const { page, totals } of await days.pagesOfDay(store.heavyReader, daySec)) {
      const sum = sums.get(page);
      if (sum === undefined) sums.set(page, totals);
      else for (let at = 0; at < totals.length; at++) sum[at]! += totals[at]!;
    }
  return sums;
}

/**
 * Sum and number of clients with traffic, and the largest of the wanted ones. Plain loops: there may be a hundred
 * thousand.
 */
function largestOf(
  totals: ReadonlyMap<number, Float64Array>,
  most: number,
  isWanted: (clientId: number) => boolean = () => true,
) {
  const largest: days.Moved[] = [];
  let sum = 0;
  let clientCount = 0;
  for (const [page, bytes] of totals)
    for (let at = 0; at < bytes.length; at++) {
      const one = bytes[at]!;
      if (one === 0) continue;
      sum += one;
      clientCount += 1;
      if (largest.length === most && one <= largest.at(-1)!.bytes) continue;
      const clientId = page * days.CLIENTS_PER_PAGE + at;
      if (!isWanted(clientId)) continue;
      let place = largest.length;
      while (place > 0 && largest[place - 1]!.bytes < one) place -= 1;
      largest.splice(place, 0, { clientId, bytes: one });
      if (largest.length > most) largest.pop();
    }
  return { sum, clientCount, largest };
}
