import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import {
  createServer,
  request as httpRequest,
  type ClientRequest,
  type RequestOptions,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { AppImageUpdater } from 'electron-updater';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testFolder } from '../../src-server/testing/for-each-test.ts';
import { textsFor } from '../texts/texts.ts';
import type { UpdateDownload } from '../bridge/contract.ts';
import { createUpdates, type UpdateChannel } from './updates.ts';

type OnResponse = Parameters<typeof httpRequest>[2];
// The updater's own download and hash check; only the request itself, which it leaves to Electron, is Node's here.
const { ElectronHttpExecutor } = createRequire(import.meta.url)('electron-updater/out/electronHttpExecutor.js') as {
  ElectronHttpExecutor: new () => object;
};
class NodeExecutor extends ElectronHttpExecutor {
  createRequest(options: RequestOptions, onResponse: OnResponse): ClientRequest {
    return httpRequest(options, onResponse);
  }
}

const texts = textsFor('en');
const served = new Map<string, Buffer>();
let server: Server;
let folder: string;
let channel: UpdateChannel;
let said: string[];
let shown: (UpdateDownload | null)[];
/** Packages arrive piece by piece, and never whole. */
let isSlow: boolean;
beforeEach(async () => {
  folder = await testFolder();
  served.clear();
  said = [];
  shown = [];
  isSlow = false;
  channel = 'stable';
  server = createServer(({ url = '' }, response) => {
    const content = served.get(new URL(url, 'http://updates').pathname);
    if (isSlow && url.endsWith('.AppImage')) return sendSlowly(response, content!);
    response.writeHead(content === undefined ? 404 : 200).end(content);
    return undefined;
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.env['APPIMAGE'] = join(folder, 'installed.AppImage');
  await writeFile(process.env['APPIMAGE'], 'the installed version');
});
afterEach(async () => {
  delete process.env['APPIMAGE'];
  server.closeAllConnections();
  server.close();
});

function sendSlowly(response: ServerResponse, content: Buffer): void {
  response.writeHead(200, { 'Content-Length': content.length });
  const timer = setInterval(() => response.write(content.subarray(0, 10)), 50);
  response.on('close', () => clearInterval(timer));
}

/** Publishes a version where packages are fetched from, as the packer does. */
function publish(list: string, version: string, content: string, hashOf = content): void {
  const name = `Switchyard-${version}.AppImage`;
  const sha512 = createHash('sha512').update(hashOf).digest('base64');
  const size = Buffer.byteLength(content);
  served.set(`/${name}`, Buffer.from(content));
  const lines = [
    `version: ${version}`,
    `files:`,
    `  - url: ${name}`,
    `    sha512: ${sha512}`,
    `    size: ${size}`,
    `path: ${name}`,
    `sha512: ${sha512}`,
    `releaseNotes: <p>Notes of ${version}</p>`,
  ];
  served.set(`/${list}-linux.yml`, Buffer.from(lines.join('\n')));
}

/** The application in a version, with a user who agrees. @returns the update check, and the file it downloaded */
async function installed(version: string) {
  const config = join(folder, 'app-update.yml');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  await writeFile(config, `provider: generic\nurl: ${url}\nupdaterCacheDirName: cache\n`);
  const updater = new AppImageUpdater(
    { provider: 'generic', url },
    {
      version,
      name: 'switchyard',
      isPackaged: true,
      appUpdateConfigPath: config,
      userDataPath: folder,
      baseCachePath: folder,
      whenReady: async () => undefined,
      relaunch: () => undefined,
      quit: () => undefined,
      onQuit: () => undefined,
    },
  );
  Object.assign(updater, { httpExecutor: new NodeExecutor() });
  // Takes the executor over.
  updater.setFeedURL({ provider: 'generic', url });
  updater.logger = null;
  // A failure is also an event; without a listener it would end the process.
  updater.on('error', () => undefined);
  let ready = '';
  updater.on('update-downloaded', ({ downloadedFile }) => (ready = downloadedFile));
  const updates = createUpdates({
    texts,
    hasUpdater: true,
    channel: () => channel,
    load: async () => updater,
    onDownload: (download) => void shown.push(download),
    showDownload: () => void said.push('The download is shown'),
    async showDialog({ message, detail = '' }) {
      said.push(`${message} ${detail}`.trim());
      return 0;
    },
  });
  return { ...updates, check: () => updates.check(true), ready: () => ready };
}

describe('an update server', () => {
  it('serves releases: notes and the way back are shown, the package is fetched and its hash checked', async () => {
    publish('latest', '1.1.0', 'the new version');
    publish('dev', '1.2.0-dev.1', 'the version to come');
    const { check, ready } = await installed('1.0.0');
    await check();
    expect(said[0]).toMatch(
      /^Version 1\.1\.0 is available[^]*Notes of 1\.1\.0[^]*To go back, install the older package/,
    );
    expect(said[1]).toBe('The download is shown');
    expect(said[2]).toBe('Version 1.1.0 is installed when you quit');
    expect(await readFile(ready(), 'utf8')).toBe('the new version');
    expect(await readFile(process.env['APPIMAGE']!, 'utf8')).toBe('the installed version');
  });

  it('serves development versions to users of that channel, and no downgrades', async () => {
    publish('latest', '1.1.0', 'the new version');
    publish('dev', '1.2.0-dev.1', 'the version to come');
    channel = 'dev';
    const early = await installed('1.0.0');
    await early.check();
    expect(await readFile(early.ready(), 'utf8')).toBe('the version to come');
    channel = 'stable';
    said = [];
    await (await installed('1.2.0-dev.1')).check();
    expect(said).toEqual(['This is the newest version.']);
  });

  it('shows how far the download is; a cancelled one leaves nothing, and can be started again', async () => {
    publish('latest', '1.1.0', 'x'.repeat(100_000));
    const { check, ready, download, cancel } = await installed('1.0.0');
    isSlow = true;
    const cancelled = check();
    await expect.poll(() => download()?.receivedBytes).toBeGreaterThan(0);
    expect(download()).toMatchObject({ version: '1.1.0', totalBytes: 100_000 });
    expect(shown.at(-1)).toEqual(download());
    // Asked for again meanwhile, it is shown.
    await check();
    expect(said.slice(1)).toEqual(['The download is shown', 'The download is shown']);
    cancel();
    await cancelled;
    expect([download(), shown.at(-1), ready()]).toEqual([null, null, '']);
    expect(said).toHaveLength(3);
    expect(await readdir(join(folder, 'cache', 'pending'))).toEqual([]);

    isSlow = false;
    await check();
    expect(said.at(-1)).toBe('Version 1.1.0 is installed when you quit');
    expect(await readFile(ready(), 'utf8')).toHaveLength(100_000);
  });

  it.each([
    ['a package with another hash', 3, () => publish('latest', '1.1.0', 'something else', 'the new version')],
    ['no package', 3, () => void (publish('latest', '1.1.0', 'x'), served.delete('/Switchyard-1.1.0.AppImage'))],
    ['no list', 1, () => undefined],
    ['a list that is none', 1, () => void served.set('/latest-linux.yml', Buffer.from('<html>'))],
  ])('with %s nothing changes', async (_, dialogCount, prepare) => {
    prepare();
    const { check, ready } = await installed('1.0.0');
    await check();
    expect(said).toHaveLength(dialogCount);
    expect(said.at(-1)).toBe('Updating did not work. This version stays as it is.');
    expect(ready()).toBe('');
    expect(await readFile(process.env['APPIMAGE']!, 'utf8')).toBe('the installed version');
  });
});
