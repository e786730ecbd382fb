import { TRIED_CORE } from '../core-version.ts';

/** Where releases are published; a mirror has the same folders below it. */
export const RELEASE_BASE = 'https://github.com/XTLS/Xray-core/releases/download';

/** Module version of {@link TRIED_CORE}: its release tag is not importable, so a pseudo-version names the commit. */
export const GO_PACKAGE = 'github.com/xtls/xray-core/main@v1.260327.1-0.20260728075948-5ca6f4b7d4dc';

export interface Machine {
  platform: NodeJS.Platform;
  arch: string;
  /** Generation of 32-bit ARM (`process.config.variables.arm_version`), `7` unless known. */
  armVersion: string;
}

const SYSTEMS: Readonly<Record<string, string>> = {
  linux: 'linux',
  darwin: 'macos',
  win32: 'windows',
  freebsd: 'freebsd',
  openbsd: 'openbsd',
};
const COMMON: Readonly<Record<string, string>> = { x64: '64', arm64: 'arm64-v8a' };
const MORE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  linux: {
    ia32: '32',
    ppc64: 'ppc64le',
    riscv64: 'riscv64',
    loong64: 'loong64',
    s390x: 's390x',
    mips: 'mips32',
    mipsel: 'mips32le',
  },
  win32: { ia32: '32' },
  freebsd: { ia32: '32' },
  openbsd: { ia32: '32' },
  darwin: {},
};

/** File name of the release archive for a machine; null when none is published. */
export function releaseAsset({ platform, arch, armVersion }: Machine): string | null {
  const system = SYSTEMS[platform];
  if (system === undefined) return null;
  const name = COMMON[arch] ?? MORE[platform]?.[arch] ?? armName(platform, arch, armVersion);
  return name === null ? null : `Xray-${system}-${name}.zip`;
}

function armName(platform: NodeJS.Platform, arch: string, armVersion: string): string | null {
  if (arch !== 'arm' || platform === 'darwin' || platform === 'win32') return null;
  if (platform !== 'linux') return 'arm32-v7a';
  return armVersion === '5' ? 'arm32-v5' : armVersion === '6' ? 'arm32-v6' : 'arm32-v7a';
}

/** The machine this process runs on. */
export function thisMachine(): Machine {
  const variables: Record<string, unknown> = { ...process.config.variables };
  const armVersion = variables.arm_version;
  return {
    platform: process.platform,
    arch: process.arch,
    armVersion: typeof armVersion === 'string' || typeof armVersion === 'number' ? `${armVersion}` : '7',
  };
}

/** Address of an archive. `base` without a slash at its end, `version` like `26.7.28`. */
export function releaseUrl(base: string, asset: string, version: string = TRIED_CORE): string {
  return `${base.replace(/\/+$/, '')}/v${version}/${asset}`;
}

/** The SHA-256 in a `.dgst` file in lower case, or why there is none. */
export function readDigest(text: string): { ok: true; sha256: string } | { ok: false; text: string } {
  const entry = /^(?:SHA2-256|SHA256)\s*=(.*)$/im.exec(text);
  if (entry === null) return { ok: false, text: 'core checksum: no SHA2-256 entry in digest' };
  const sha256 = /^\s*([0-9a-f]{64})\s*$/i.exec(entry[1] ?? '')?.[1]?.toLowerCase();
  return sha256 === undefined
    ? { ok: false, text: 'core checksum: malformed SHA2-256 entry in digest' }
    : { ok: true, sha256 };
}
