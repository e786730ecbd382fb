import { versionRank } from '../core/config/security/reality.ts';

/** What apps on other engines claim to be towards REALITY, whatever their own version. */
export const REALITY_VERSION = '1.8.2';

/** Whether REALITY refuses apps on other engines. @param minClientVer empty = the core's default since 26.7.11 */
export function refusesOtherEngines(minClientVer: string): boolean {
  return minClientVer === '' || versionRank(minClientVer) > versionRank(REALITY_VERSION);
}
