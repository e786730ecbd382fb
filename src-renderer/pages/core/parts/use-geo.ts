import { useMemo } from 'react';
import { listGeoFiles, type GeoFile } from '#contract/coreFiles';
import { keys } from '../../../api/keys.ts';
import { useRead } from '../../../api/use-read.ts';

export const GEO_KEY = [...keys.core, 'geo'];

export function useGeoFiles() {
  return useRead(listGeoFiles, {}, GEO_KEY);
}

/** Categories of the panel's geo files as rules name them: `geosite:cn`, `geoip:cn`, `ext:FILE:cn`. */
export function useGeoNames(): { site: string[]; ip: string[] } {
  const { data } = useGeoFiles();
  return useMemo(() => ({ site: namesIn(data, 'site'), ip: namesIn(data, 'ip') }), [data]);
}

function namesIn(files: readonly GeoFile[] = [], kind: GeoFile['kind']): string[] {
  const usual = `geo${kind}`;
  return files
    .filter((file) => file.kind === kind)
    .sort((one, other) => Number(other.name === `${usual}.dat`) - Number(one.name === `${usual}.dat`))
    .flatMap(({ name, categories }) =>
      categories.map((category) => (name === `${usual}.dat` ? `${usual}:${category}` : `ext:${name}:${category}`)),
    );
}
