import { expect, test } from 'vitest';
import type { Machine } from './release.ts';
import { readDigest, releaseAsset, releaseUrl } from './release.ts';

test.each<[Machine['platform'], string, string, string | null]>([
  ['linux', 'x64', '7', 'Xray-linux-64.zip'],
  ['linux', 'arm64', '7', 'Xray-linux-arm64-v8a.zip'],
  ['linux', 'arm', '6', 'Xray-linux-arm32-v6.zip'],
  ['linux', 'arm', '7', 'Xray-linux-arm32-v7a.zip'],
  ['linux', 'mipsel', '7', 'Xray-linux-mips32le.zip'],
  ['darwin', 'arm64', '7', 'Xray-macos-arm64-v8a.zip'],
  ['darwin', 'ia32', '7', null],
  ['win32', 'ia32', '7', 'Xray-windows-32.zip'],
  ['win32', 'arm', '7', null],
  ['freebsd', 'arm', '7', 'Xray-freebsd-arm32-v7a.zip'],
  ['sunos', 'x64', '7', null],
])('%s %s (arm %s): %s', (platform, arch, armVersion, asset) => {
  expect(releaseAsset({ platform, arch, armVersion })).toBe(asset);
});

test('addresses and digests', () => {
  expect(releaseUrl('https://mirror.example/x/', 'Xray-linux-64.zip', '26.7.28')).toBe(
    'https://mirror.example/x/v26.7.28/Xray-linux-64.zip',
  );
  const hex = 'AB'.repeat(32);
  const ok = { ok: true, sha256: hex.toLowerCase() };
  expect(readDigest(`MD5= 1\nSHA2-256= ${hex}\r\nSHA2-512= 2\n`)).toEqual(ok);
  expect(readDigest(`SHA256= ${hex}`)).toEqual(ok);
  expect(readDigest('SHA2-256= abc')).toEqual({
    ok: false,
    text: 'core checksum: malformed SHA2-256 entry in digest',
  });
  expect(readDigest('SHA2-512= abc')).toEqual({ ok: false, text: 'core checksum: no SHA2-256 entry in digest' });
});
