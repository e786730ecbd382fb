import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../../contract/logger.ts';
import type { Schedule } from '../../contract/schedule.ts';
import { readCountries, type CountryTable } from '../../core/binary/geo-countries.ts';

/** The table is released after this time without use. */
const IDLE_MS = 30 * 60_000;
const REST_MS = 5 * 60_000;
/** How long a file is assumed to be unchanged. */
const FRESH_MS = 10_000;

export interface CountriesDeps {
  /** Folder of the core's geo files. */
  assetDir: string;
  /** The address that a host name last resolved to; null = never dialled. */
  addressOf: (host: string) => string | null;
  clock: () => number;
  schedule: Schedule;
  log: Pick<Logger, 'warn'>;
}

/**
 * Finds countries in the core's own `geoip.dat`, so they are as new as the operator's geo files and need no extra data.
 * The file is read when a country is first asked for, and again when it has changed.
 */
export function createCountriesService({ assetDir, addressOf, clock, schedule, log }: CountriesDeps) {
  const path = join(assetDir, 'geoip.dat');
  let kept: { version: string; table: Promise<CountryTable | null>; checkedAtMs: number } | null = null;
  let usedAtMs = 0;
  const timer = schedule.every(REST_MS, () => {
    if (clock() - usedAtMs >= IDLE_MS) kept = null;
  });

  async function table(): Promise<CountryTable | null> {
    usedAtMs = clock();
    if (kept !== null && Math.abs(clock() - kept.checkedAtMs) < FRESH_MS) return kept.table;
    const version = await stat(path).then(
      ({ size, mtimeMs, ino }) => `${size} ${mtimeMs} ${ino}`,
      () => null,
    );
    if (version === null) return null;
    if (kept?.version === version) kept.checkedAtMs = clock();
    else kept = { version, checkedAtMs: clock(), table: readCountries(path).catch(unreadable) };
    return kept.table;
  }

  /** An invalid geo file yields no countries until it is replaced. */
  function unreadable(error: unknown): null {
    log.warn('countries.unreadable', { path, error });
    return null;
  }

  return {
    /** @returns ISO 3166 alpha-2 codes by requested address; unknown ones are absent */
    async of(addresses: readonly string[]): Promise<Record<string, string>> {
      const known = await table();
      if (known === null) return {};
      const found: [string, string][] = [];
      for (const address of new Set(addresses)) {
        const code = known.countryOf(address) ?? known.countryOf(addressOf(address) ?? '');
        if (code !== null) found.push([address, code]);
      }
      return Object.fromEntries(found);
    },
    close: () => timer.cancel(),
  };
}
export type CountriesService = ReturnType<typeof createCountriesService>;
