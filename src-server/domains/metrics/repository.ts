import type { Store } from '../../store/open-store.ts';
import type { Db } from '../../store/schema.ts';

export type SampleKind = 'system' | 'core';

export interface SampleBatch {
  firstAtSec: number;
  /** JSON as `SampleColumns` of the service describes it. */
  samples: string;
}

/** Batches kept per kind: six hours of one per minute, and some spare ones for restarts. */
const MAX_BATCHES = 400;

/** When a panel last stored what it had sampled, to the minute; null = never. */
export async function lastSampleMs(db: Db): Promise<number | null> {
  const row = await db
    .selectFrom('metricSamples')
    .select('firstAtSec')
    .where('kind', '=', 'system' satisfies SampleKind)
    .orderBy('firstAtSec', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : row.firstAtSec * 1000;
}

export function createSampleRepository(store: Store) {
  return {
    /** Oldest first. */
    read: (kind: SampleKind): Promise<SampleBatch[]> =>
      store.reader
        .selectFrom('metricSamples')
        .select(['firstAtSec', 'samples'])
        .where('kind', '=', kind)
        .orderBy('firstAtSec')
        .limit(MAX_BATCHES)
        .execute(),
    /** Adds a batch and drops what is older than the history. */
    append: (kind: SampleKind, batch: SampleBatch, dropBeforeSec: number): Promise<void> =>
      store.write(async (trx) => {
        await trx
          .insertInto('metricSamples')
          .values({ kind, ...batch })
          .onConflict((conflict) => conflict.columns(['kind', 'firstAtSec']).doUpdateSet({ samples: batch.samples }))
          .execute();
        const kept = await trx
          .selectFrom('metricSamples')
          .select('firstAtSec')
          .where('kind', '=', kind)
          .orderBy('firstAtSec', 'desc')
          .offset(MAX_BATCHES - 1)
          .limit(1)
          .executeTakeFirst();
        await trx
          .deleteFrom('metricSamples')
          .where('kind', '=', kind)
          .where('firstAtSec', '<', Math.max(dropBeforeSec, kept?.firstAtSec ?? 0))
          .execute();
      }),
  };
}
export type SampleRepository = ReturnType<typeof createSampleRepository>;
