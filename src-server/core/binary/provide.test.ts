import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { testFolder } from '../../testing/for-each-test.ts';
import { downloadFile } from './releases/download.ts';
import { guardedGet } from './releases/guarded-get.ts';
import { InstallError } from './install.ts';
import { CORE_FILE } from './locate.ts';
import type { Provided, ProvideOptions } from './provide.ts';
import { provideBinary } from './provide.ts';
import { listening, originOf } from '../../testing/peers/local-server.ts';

const GOOD = script('Xray 26.7.28 (fake) x (go linux/amd64)');
const noEnv = { PATH: '' };

/** A program that answers `version` with the given version. */
function script(output: string): Uint8Array {
  return Buffer.from(`#!/bin/sh\necho '${output}'\n`);
}

type Reply = (request: IncomingMessage, response: ServerResponse, body: Buffer) => void;
const whole: Reply = (_request, response, body) =>
  void response.writeHead(200, { 'content-length': body.length }).end(body);

let folder = '';
let archive: Buffer = Buffer.alloc(0);
let digest = '';
let reply: Reply = whole;
let requests: { url: string; range: string | undefined }[] = [];
const server = createServer((request, response) => {
  const { url = '' } = request;
  requests.push({ url, range: request.headers.range });
  if (url.endsWith('.dgst')) response.end(`MD5= 1\nSHA2-256= ${digest}\n`);
  else reply(request, response, archive);
});

beforeEach(async () => {
  folder = await testFolder();
  publish({
    [CORE_FILE]: GOOD,
    'geoip.dat': Buffer.from('geo'),
    '../evil': Buffer.from('x'),
    LICENSE: Buffer.from('l'),
  });
  reply = whole;
  requests = [];
  await listening(server);
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

function publish(files: Record<string, Uint8Array>): void {
  // Larger than one packet, so that it can be cut.
  archive = Buffer.from(zipSync({ ...files, 'README.md': Buffer.alloc(300_000, 1) }, { level: 0 }));
  digest = createHash('sha256').update(archive).digest('hex');
}

const origin = (): string => originOf(server);

function provide(more: Partial<ProvideOptions> = {}): Promise<Provided> {
  return provideBinary({
    targetDir: join(folder, 'core'),
    mirror: origin(),
    env: noEnv,
    say: () => undefined,
    stallMs: 300,
    build: () => Promise.reject(new InstallError('no Go here')),
    ...more,
  });
}

const installed = (): string[] => readdirSync(join(folder, 'core')).sort();

test('downloads, verifies, unpacks and installs; requests nothing the second time', async () => {
  const lines: string[] = [];
  expect(await provide({ say: (line) => lines.push(line) })).toEqual({
    path: join(folder, 'core', CORE_FILE),
    version: '26.7.28',
    how: 'downloaded',
  });
  expect(installed()).toEqual(['geoip.dat', CORE_FILE]);
  expect(requests.map(({ url }) => url.replace(/.*\//, ''))).toEqual([
    expect.stringMatching(/^Xray-.*\.zip\.dgst$/),
    expect.stringMatching(/^Xray-.*\.zip$/),
  ]);
  expect(lines.at(-1)).toBe('  100 %');
  requests = [];
  expect((await provide()).how).toBe('present');
  expect(requests).toEqual([]);
});

test('a wrong digest leaves the old core and no archive', async () => {
  await provide();
  digest = '0'.repeat(64);
  await expect(provide({ force: true })).rejects.toThrow(/does not match the official SHA-256 checksum.*no Go here/s);
  expect(installed()).toEqual(['geoip.dat', CORE_FILE]);
  expect(readFileSync(join(folder, 'core', CORE_FILE))).toEqual(Buffer.from(GOOD));
});

test('a missing digest refuses the install', async () => {
  digest = '';
  await expect(provide()).rejects.toThrow(/malformed SHA2-256 entry/);
});

test('an interrupted download resumes where it ended', async () => {
  reply = (request, response, body) => {
    const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
    if (from > 0) {
      response.writeHead(206, {
        'content-length': body.length - from,
        'content-range': `bytes ${from}-${body.length - 1}/${body.length}`,
      });
      response.end(body.subarray(from));
      return;
    }
    response.writeHead(200, { 'content-length': body.length });
    response.write(body.subarray(0, 150_000), () => response.destroy());
  };
  expect((await provide()).how).toBe('downloaded');
  expect(requests.map(({ range }) => range)).toEqual([undefined, undefined, expect.stringMatching(/^bytes=\d+-$/)]);
});

test('the download from a silent server is given up', async () => {
  reply = (_request, response, body) => {
    response.writeHead(200, { 'content-length': body.length });
    response.write(body.subarray(0, 1_000));
  };
  await expect(provide()).rejects.toThrow(InstallError);
});

test('more than the cap is refused, announced or not', async () => {
  const path = join(folder, 'big');
  const options = { trustedHost: '127.0.0.1', maxBytes: 1_000 };
  await expect(downloadFile(`${origin()}/a`, path, options)).rejects.toThrow(/larger than 1000 bytes/);
  reply = (_request, response, body) => void response.end(body);
  await expect(downloadFile(`${origin()}/a`, path, options)).rejects.toThrow(/larger than 1000 bytes/);
});

test('only the named host may be internal or without TLS, also after a redirect', async () => {
  const to = (location: string): void => {
    reply = (_request, response) => void response.writeHead(302, { location }).end();
  };
  const go = () => guardedGet(`${origin()}/a`, { trustedHost: '127.0.0.1', stallMs: 300 });
  to('https://169.254.169.254/latest');
  await expect(go()).rejects.toThrow(/internal network/);
  to('https://[::ffff:10.0.0.1]/');
  await expect(go()).rejects.toThrow(/internal network/);
  to('https://localhost:1/');
  await expect(go()).rejects.toThrow(/internal network/);
  to('http://example.com/');
  await expect(go()).rejects.toThrow(/without TLS/);
  to('file:///etc/passwd');
  await expect(go()).rejects.toThrow(/no web address/);
  to('/a');
  await expect(go()).rejects.toThrow(/redirects/);
  await expect(guardedGet(`${origin()}/a`, { trustedHost: '' })).rejects.toThrow(/without TLS/);
});

test('an address of NAT64 is as internal as the one in it', async () => {
  const go = (address: string) => guardedGet(address, { trustedHost: '', signal: AbortSignal.abort() });
  await expect(go('https://[64:ff9b::a00:1]/')).rejects.toThrow(/internal network/);
  await expect(go('https://[64:ff9b::101:101]/')).rejects.toThrow(/aborted/);
});

test('an archive whose core does not answer, or is too old, is not installed', async () => {
  publish({ [CORE_FILE]: script('hello') });
  await expect(provide()).rejects.toThrow(/did not answer like a core/);
  publish({ [CORE_FILE]: script('Xray 26.6.26 (old)') });
  await expect(provide()).rejects.toThrow(/at least 26\.6\.27/);
  publish({ 'geoip.dat': Buffer.from('geo') });
  await expect(provide()).rejects.toThrow(/holds no/);
  expect(installed()).toEqual([]);
});

test('without a release the core is built; without both the operator is told what to do', async () => {
  reply = (_request, response) => void response.writeHead(404).end();
  expect(await provide({ build: () => Promise.resolve(GOOD) })).toMatchObject({ how: 'built', version: '26.7.28' });
  rmSync(join(folder, 'core'), { recursive: true });
  await expect(provide()).rejects.toThrow(/Download: .*404.*Build: no Go here.*CORE_BINARY/s);
});

test('a named core is used or reported as unusable, one on the PATH is used', async () => {
  const named = join(folder, CORE_FILE);
  await expect(provide({ binary: named })).rejects.toThrow(/no file/);
  writeFileSync(named, GOOD, { mode: 0o644 });
  await expect(provide({ binary: named })).rejects.toThrow(/not executable/);
  rmSync(named);
  writeFileSync(named, GOOD, { mode: 0o755 });
  expect(await provide({ binary: named })).toEqual({ path: named, version: '26.7.28', how: 'named' });
  expect(await provide({ env: { PATH: folder } })).toMatchObject({ path: named, how: 'path' });
  writeFileSync(
    join(folder, 'elf'),
    Buffer.concat([Buffer.from('\x7fELF\x02\x01\x01', 'latin1'), Buffer.alloc(64, 1)]),
    { mode: 0o755 },
  );
  await expect(provide({ binary: join(folder, 'elf') })).rejects.toThrow(/another system/);
  expect(requests).toEqual([]);
});
