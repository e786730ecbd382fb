import * as z from 'zod';
import type { Logger } from '../../contract/logger.ts';
import type { Schedule, Timer } from '../../contract/schedule.ts';
import type { SampleKind, SampleRepository } from './repository.ts';
import { createSampleRing, RING_CAPACITY, type SampleRing } from './sample-ring.ts';

const SAVE_EVERY_MS = 60_000;
const KEPT_SEC = 6 * 3600;
/** A minute of samples, with spare room for a clock or a timer that runs fast. */
const MAX_IN_BATCH = 120;

/** Columns by name, so that another version reads the metrics it knows. `null` = not sampled. */
const SampleColumns = z.object({
  at: z.array(z.int().min(0)).max(RING_CAPACITY),
  values: z.record(z.string(), z.array(z.number().nullable()).max(RING_CAPACITY)),
});

export interface KeptSamples<K extends string> extends SampleRing<K> {
  /** Loads what an earlier run stored, then stores every minute. */
  start(): Promise<void>;
  /** Stores the samples taken since the last time. */
  close(): Promise<void>;
}

/** A ring whose samples survive a restart: a small batch is stored each minute. */
export function createKeptSamples<const K extends string>(options: {
  kind: SampleKind;
  keys: readonly K[];
  repository: SampleRepository;
  clock: () => number;
  schedule: Schedule;
  log: Logger;
}): KeptSamples<K> {
  const { kind, keys, repository, clock, schedule, log } = options;
  const ring = createSampleRing(keys);
  let waiting: { atSec: number; values: Readonly<Partial<Record<K, number>>> }[] = [];
  let saving: Timer | null = null;

  async function save(): Promise<void> {
    const batch = waiting;
    const [first] = batch;
    if (first === undefined) return;
    waiting = [];
    const values = Object.fromEntries(keys.map((key) => [key, batch.map((sample) => shortened(sample.values[key]))]));
    const samples = JSON.stringify({ at: batch.map(({ atSec }) => atSec), values });
    const dropBeforeSec = Math.floor(clock() / 1000) - KEPT_SEC;
    await repository.append(kind, { firstAtSec: first.atSec, samples }, dropBeforeSec);
  }

  function load(samples: string): void {
    const { at, values } = SampleColumns.parse(JSON.parse(samples));
    for (const [index, atSec] of at.entries()) {
      const read = keys.map((key) => [key, values[key]?.[index] ?? undefined] as const);
      ring.push(
        atSec,
        Object.fromEntries(read.filter(([, value]) => value !== undefined)) as Partial<Record<K, number>>,
      );
    }
  }

  return {
    push(atSec, values) {
      ring.push(atSec, values);
      waiting.push({ atSec, values });
      // While the disk is full nothing is stored; memory must not grow meanwhile.
      if (waiting.length > MAX_IN_BATCH) waiting.shift();
    },
    aggregate: (key, bucketSec, nowSec) => ring.aggregate(key, bucketSec, nowSec),
    get size() {
      return ring.size;
    },
    async start() {
      for (const { firstAtSec, samples } of await repository.read(kind)) {
        try {
          load(samples);
        } catch (error) {
          log.warn('metrics.unreadable', { kind, firstAtSec, error });
        }
      }
      saving = schedule.every(SAVE_EVERY_MS, save);
    },
    async close() {
      saving?.cancel();
      await save();
    },
  };
}

/** Enough digits for a chart. */
function shortened(value: number | undefined): number | null {
  return value === undefined || !Number.isFinite(value) ? null : Number(value.toPrecision(6));
}
