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

/** @param file where they outlive the panel */
export function createKeptReadings(file: string, log: Logger) {
  let kept: CounterReading[] = [];
  /** The core that was booked before the first of them. Null = not known. */
  let afterBootId: string | null = null;
  let isFromFile = false;

  async function forgetFile(): Promise<void> {
    isFromFile = false;
    await rm(file, { force: true });
  }

  return {
    /** Takes the place of an older reading of the same core. @param bookedBootId the core that was booked last; empty = not known */
    keep(reading: CounterReading, bookedBootId: string): void {
      const at = kept.findIndex(({ bootId }) => bootId === reading.bootId);
      if (at >= 0) kept[at] = reading;
      else {
        if (kept.length === 0) afterBootId = bookedBootId === '' ? null : bookedBootId;
        kept.push(reading);
      }
    },
    /** Of the cores that ended before this one. */
    before: (bootId: string | null): readonly CounterReading[] => kept.filter((reading) => reading.bootId !== bootId),
    /**
     * Leaves out what is booked already: a panel may have been killed between the last booking and the end of its note.
     * @param storedBootId whose baselines the database holds
     */
    settle(storedBootId: string): void {
      const at = kept.findIndex(({ bootId }) => bootId === storedBootId);
      // Not the first: those before it are booked. None of them, and not what came before: all are.
      if (at >= 0) kept = kept.slice(at);
      else if (storedBootId !== afterBootId && (isFromFile || afterBootId !== null)) kept = [];
    },
    /** It is booked. */
    drop(bootId: string): void {
      if (kept.length === 0) return;
      kept = kept.filter((reading) => reading.bootId !== bootId);
      afterBootId = bootId;
      if (kept.length === 0 && isFromFile)
        forgetFile().catch((error: unknown) => log.warn('traffic.keptFileStays', { file, error }));
    },
    /** Writes down what is still kept, for the next panel. */
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
    /** Takes over what the panel before this one wrote down. */
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
 * The last reading of each core that could not be booked while the database was away, the oldest core first. A core that lives on is
 * read again; what one that ended had counted is in here alone.
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
