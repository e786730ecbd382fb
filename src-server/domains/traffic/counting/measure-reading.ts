import type { Basics } from '../../basics.ts';
import type { Core, CounterReading } from '../../../core/core.ts';
import { COUNTER_KINDS, type BaselineBook, type CounterKind } from './baselines.ts';
import { measure, NOTHING, plausibleBytes, type Changed, type Implausible, type Measured } from './measure.ts';
import { loadNewBaselines, registerSubjects } from './repository-counters.ts';

/** Names per registration, so that a first reading with 50,000 names does not block the writer. */
const NAMES_PER_WRITE = 2_000;
/** Assumed interval when the start of a core's counting is unknown. */
const DAY_MS = 86_400_000;
const TABLE_OF = { user: 'users', inbound: 'inbounds', outbound: 'outbounds' } as const;

/** Traffic of one reading, per kind: names[i] moved upDelta[i] and downDelta[i]. */
export interface Moved {
  names: string[];
  upDelta: Float64Array;
  downDelta: Float64Array;
}

/** What one reading adds to the baselines, per kind. */
export interface Differences {
  changed: Record<CounterKind, Changed>;
  implausible: (Implausible & { kind: CounterKind })[];
  moved: Record<CounterKind, Moved>;
}

export interface MeasureReadingDeps extends Pick<Basics, 'store' | 'clock' | 'monotonic'> {
  core: Pick<Core, 'status'>;
}

/** Measures whole readings against a book of baselines, and gives new names a baseline first. */
export function createReadingMeasure({ store, core, clock, monotonic }: MeasureReadingDeps) {
  async function register(opened: BaselineBook, kind: CounterKind, subjects: readonly string[]): Promise<void> {
    for (let at = 0; at < subjects.length; at += NAMES_PER_WRITE) {
      const names = subjects.slice(at, at + NAMES_PER_WRITE);
      await store.write((trx) => registerSubjects(trx, opened.sourceId, kind, names));
    }
  }

  /** Upper limit of the time in which the differences arose, in ms. */
  function coveredMs(opened: BaselineBook): number {
    if (opened.lastFullReadMs !== null) return monotonic() - opened.lastFullReadMs;
    const { bootId, startedAtMs } = core.status();
    const age = bootId === opened.bootId && startedAtMs !== null ? clock() - startedAtMs : DAY_MS;
    return age < 0 ? DAY_MS : age;
  }

  async function measureAll(opened: BaselineBook, reading: CounterReading, only: ReadonlySet<string> | null) {
    // Inbounds and outbounds are skipped when only some users are wanted: their next full reading covers them.
    const kinds = only === null ? COUNTER_KINDS : (['user'] as const);
    // Also names released before any reading saw them: the next client with such a name has to know that it may count.
    if (only === null) await loadNewBaselines(store, opened);
    const limitBytes = plausibleBytes(coveredMs(opened));
    const isFresh = opened.lastReadAtMs !== null && reading.readAtMs > opened.lastReadAtMs;
    const measured: Partial<Record<CounterKind, Measured>> = {};
    for (const kind of kinds) {
      const measureKind = () => measure(reading[TABLE_OF[kind]], opened.tables[kind], { isFresh, limitBytes, only });
      let found = await measureKind();
      if (found.unseen.length > 0) {
        await register(opened, kind, found.unseen);
        await loadNewBaselines(store, opened);
        found = await measureKind();
      }
      measured[kind] = found;
    }
    return measured;
  }

  return {
    coveredMs,
    /**
     * The differences of a reading; moves no baseline.
     *
     * @param only these users alone, without inbounds and outbounds; null = everything
     */
    async differences(
      opened: BaselineBook,
      reading: CounterReading,
      only: ReadonlySet<string> | null,
    ): Promise<Differences> {
      const measured = await measureAll(opened, reading, only);
      const changed = {
        user: changesOf(measured.user),
        inbound: changesOf(measured.inbound),
        outbound: changesOf(measured.outbound),
      };
      const implausible = COUNTER_KINDS.flatMap((kind) =>
        (measured[kind]?.implausible ?? []).map((delta) => ({ ...delta, kind })),
      );
      const moved = {
        user: movedOf(opened, 'user', changed.user),
        inbound: movedOf(opened, 'inbound', changed.inbound),
        outbound: movedOf(opened, 'outbound', changed.outbound),
      };
      return { changed, implausible, moved };
    },
  };
}

function changesOf(measured: Measured | undefined): Changed {
  return measured?.changed ?? NOTHING;
}

function movedOf(book: BaselineBook, kind: CounterKind, changed: Changed): Moved {
  const { subjects } = book.tables[kind];
  const names = Array.from(changed.positions, (position) => subjects[position]!);
  return { names, upDelta: changed.upDelta, downDelta: changed.downDelta };
}
