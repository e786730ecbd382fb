import { RELEASE_BASE } from './release.ts';

/** A source of files. Its host may be private and without TLS when the operator named it. */
export interface Source {
  base: string;
  trustedHost: string;
}

/** Where new cores and geo files come from. */
export interface DownloadSources {
  /** Address of the release list, in the format of GitHub's API. */
  releaseList: string;
  /** Root of the release archives. */
  releases: Source;
  /** Folder that holds every geo file under its own name; null = each from its own site. */
  geoMirror: Source | null;
}

const RELEASE_LIST = 'https://api.github.com/repos/XTLS/Xray-core/releases';

/**
 * The original sites of the files, or the mirrors that the operator named: `CORE_MIRROR` is the root of the release
 * archives with a `releases.json` beside them, `GEO_MIRROR` a folder with the geo files.
 */
export function downloadSources(env: NodeJS.ProcessEnv): DownloadSources {
  const core = mirror(env.CORE_MIRROR);
  return {
    releaseList: core === null ? RELEASE_LIST : `${core.base}/releases.json`,
    releases: core ?? { base: RELEASE_BASE, trustedHost: '' },
    geoMirror: mirror(env.GEO_MIRROR),
  };
}

function mirror(address: string | undefined): Source | null {
  const url = address === undefined ? null : URL.parse(address);
  if (address === undefined || url === null) return null;
  return { base: address.replace(/\/+$/, ''), trustedHost: url.hostname.replace(/^\[(.*)\]$/, '$1') };
}
