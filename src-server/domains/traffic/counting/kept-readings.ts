import { readFile, rm, writeFile } from 'node:fs/promises';
import * as z from 'zod';
import type { Logger } from '../../../contract/logger.ts';
import type { CounterReading, CounterTable } from '../../../core/core.ts';

const SavedTable = z.object({ names: z.array(z.string()), up: z.array(z.int()), down: z.array(z.int()) });
const Saved = z.object({
  afterBootId: z.string().nullable(),
  readings: z.array(
    z.object({
      bootId: z.string(),
      readAtMs: z.number(),
      users: SavedTable,
      inbounds: SavedTable,
      outbounds: SavedTable,
    }),
  ),
});

/** @param file storage that outlives the panel */
export function createKeptReadings(file: string, log: Logger) {
  let kept: CounterReading[] = [];
  /** The core booked before the first of these readings. Null = not known. */
  let afterBootId: string | null = null;
  let isFromFile = false;

  async function forgetFile(): Promise<void> {
    isFromFile = false;
    await rm(file, { force: true });
  }

  return {
    /** Replaces an older reading of the same core. @param bookedBootId the core booked last; empty = not known */
    keep(reading: CounterReading, bookedBootId: string): void {
      const at = kept.findIndex(({ bootId }) => bootId === reading.bootId);
      if (at >= 0) kept[at] = reading;
      else {
        if (kept.length === 0) afterBootId = bookedBootId === '' ? null : bookedBootId;
        kept.push(reading);
      }
    },
    /** Readings of cores that ended before this one. */
    before: (bootId: string | null): readonly CounterReading[] => kept.filter((reading) => reading.bootId !== bootId),
    /**
     * Drops readings already booked: a panel may have been killed between the last booking and the removal of its file.
     * @param storedBootId boot whose baselines the database holds
     */
    settle(storedBootId: string): void {
      const at = kept.findIndex(({ bootId }) => bootId === storedBootId);
      // Booked up to this core, so earlier ones are dropped. If it is neither one of these nor the one before, all are
      // booked.
      if (at >= 0) kept = kept.slice(at);
      else if (storedBootId !== afterBootId && (isFromFile || afterBootId !== null)) kept = [];
    },
    /** Drops a booked reading. */
    drop(bootId: string): void {
      if (kept.length === 0) return;
      kept = kept.filter((reading) => reading.bootId !== bootId);
      afterBootId = bootId;
      if (kept.length === 0 && isFromFile)
        forgetFile().catch((error: unknown) => log.warn('traffic.keptFileStays', { file, error }));
    },
    /** Saves what is still kept, for the next panel. */
    async save(): Promise<void> {
      if (kept.length === 0) return;
      const readings = kept.map(({ bootId, readAtMs, users, inbounds, outbounds }) => ({
        bootId,
        readAtMs,
        users: plain(users),
        inbounds: plain(inbounds),
        outbounds: plain(outbounds),
      }));
      await writeFile(file, JSON.stringify({ afterBootId, readings }), { mode: 0o600 });
      log.warn('traffic.keptForNextStart', { cores: readings.length });
    },
    /** Loads what the previous panel saved. */
    async load(): Promise<void> {
      const text = await readFile(file, 'utf8').catch(() => null);
      if (text === null) return;
      const saved = Saved.safeParse(parsed(text));
      if (!saved.success) {
        log.error('traffic.keptUnreadable', { file });
        return;
      }
      isFromFile = true;
      afterBootId = saved.data.afterBootId;
      kept = saved.data.readings.map(({ bootId, readAtMs, users, inbounds, outbounds }) => ({
        bootId,
        readAtMs,
        users: columnar(users),
        inbounds: columnar(inbounds),
        outbounds: columnar(outbounds),
      }));
    },
  };
}
/**
 * The last reading of each core that could not be booked while the database was unreachable, oldest core first. A
 * running core is read again; the counters of an ended one exist only here.
 */
export type KeptReadings = ReturnType<typeof createKeptReadings>;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const plain = ({ names, up, down }: CounterTable): z.infer<typeof SavedTable> => ({
  names,
  up: [...up],
  down: [...down],
});

const columnar = ({ names, up, down }: z.infer<typeof SavedTable>): CounterTable => ({
  names,
  numbers: Int32Array.from(names, (_, at) => at),
  up: Float64Array.from(up),
  down: Float64Array.from(down),
});
