import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { coreBinary } from './harness/core-binary.ts';
import { coresOf } from './harness/core-figures.ts';
import { disposePanel, newDataDir, startPanel, type PanelProcess } from './harness/panel-process.ts';
import { report } from './harness/report.ts';
import { pause, waitFor } from './harness/wait-for.ts';

interface Status {
  core: { state: string; pid: number | null; version: string };
  appStats: { pid: number };
}
interface Job {
  state: string;
  error: string;
}

const KILLS = 20;
const GEO = ['geoip.dat', 'geosite.dat', 'geoip_IR.dat', 'geosite_IR.dat', 'geoip_RU.dat', 'geosite_RU.dat'];
const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** A mirror that sends slowly enough to be interrupted anywhere. */
const served = new Map<string, Buffer>();
const mirror = createServer((request, response) => {
  const path = request.url ?? '';
  const content = [...served].find(([end]) => path.endsWith(end))?.[1];
  if (content === undefined) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, { 'content-length': content.length, 'last-modified': new Date().toUTCString() });
  void trickle(response, content);
});

async function trickle(response: ServerResponse, content: Buffer): Promise<void> {
  const step = Math.ceil(content.length / 40);
  for (let at = 0; at < content.length && !response.destroyed; at += step) {
    response.write(content.subarray(at, at + step));
    await pause(10);
  }
  response.end();
}

describe('installing while everything goes wrong', () => {
  let panel: PanelProcess;
  let archives: { archive: Buffer; core: string }[];

  beforeAll(async () => {
    const real = readFileSync(coreBinary());
    // The loader ignores what follows a program, so these are three cores of one version.
    const [before, ...others] = ['before', 'one', 'two'].map((mark) => Buffer.concat([real, Buffer.from(mark)]));
    archives = others.map((core) => ({
      core: digestOf(core),
      archive: Buffer.from(zipSync({ xray: core }, { level: 0 })),
    }));
    await new Promise<void>((done) => mirror.listen(0, '127.0.0.1', done));
    const origin = `http://127.0.0.1:${(mirror.address() as AddressInfo).port}`;
    const dataDir = await newDataDir();
    await mkdir(join(dataDir, 'core'), { recursive: true });
    await writeFile(join(dataDir, 'core', 'xray'), before!, { mode: 0o755 });
    const env = { CORE_BINARY: '', CORE_MIRROR: `${origin}/core`, GEO_MIRROR: `${origin}/geo` };
    panel = await startPanel({ dataDir, core: null, env });
    const { core } = await runningStatus();
    served.set('/releases.json', Buffer.from(JSON.stringify([{ tag_name: `v${core.version}`, prerelease: true }])));
    publish(0);
  });
  afterAll(async () => {
    await disposePanel(panel);
    mirror.closeAllConnections();
    await new Promise((done) => mirror.close(done));
  });

  const status = (): Promise<Status> => panel.api.get<Status>('/panel/api/server/status');
  const folder = (): string => join(panel.dataDir, 'core');
  const coreDigest = (): string => digestOf(readFileSync(join(folder(), 'xray')));

  function publish(which: number): void {
    const { archive } = archives[which]!;
    served.set('.zip', archive);
    served.set('.zip.dgst', Buffer.from(`SHA2-256= ${digestOf(archive)}\n`));
  }

  const runningStatus = (): Promise<Status> =>
    waitFor(
      'a running core',
      async () => {
        const now = await status().catch(() => undefined);
        return now?.core.state === 'running' ? now : undefined;
      },
      30_000,
    );

  async function killAndReturn(): Promise<void> {
    const { pid } = (await status()).appStats;
    process.kill(pid, 'SIGKILL');
    await waitFor(
      'the panel after a kill',
      async () =>
        (await status().catch(() => undefined))?.appStats.pid !== pid &&
        (await status().catch(() => undefined)) !== undefined,
      30_000,
    );
    const { core } = await runningStatus();
    expect(await coresOf(panel.dataDir)).toEqual([core.pid]);
  }

  async function finished(path: string): Promise<Job> {
    const { jobId } = await panel.api.post<{ jobId: string }>(path);
    return waitFor(
      'the job',
      async () => {
        const job = await panel.api.get<Job>(`/panel/api/jobs/${jobId}`);
        return job.state === 'running' ? undefined : job;
      },
      60_000,
    );
  }

  test(`${KILLS} kills of the panel while it installs a core`, { timeout: 600_000 }, async () => {
    let installed = coreDigest();
    let changes = 0;
    for (let round = 0; round < KILLS; round++) {
      const next = archives.findIndex(({ core }) => core !== installed);
      publish(next);
      await panel.api.post('/panel/api/server/installCore/latest');
      await pause(Math.random() * 6_000);
      await killAndReturn();
      const now = coreDigest();
      expect([installed, archives[next]!.core]).toContain(now);
      expect(readdirSync(folder()).filter((name) => name !== 'xray' && !name.endsWith('.dat'))).toEqual([]);
      if (now !== installed) changes += 1;
      installed = now;
    }
    report(
      `${KILLS} kills during an installation: ${changes} times the new core ran, ${KILLS - changes} times the old one`,
    );
    const next = archives.findIndex(({ core }) => core !== installed);
    publish(next);
    expect(await finished('/panel/api/server/installCore/latest')).toMatchObject({ state: 'done', error: '' });
    expect(coreDigest()).toBe(archives[next]!.core);
  });

  test(`${KILLS} kills of the panel while it updates geo files`, { timeout: 600_000 }, async () => {
    const content = (mark: string): Buffer => {
      const field = (tag: number, inner: Buffer): Buffer => Buffer.concat([Buffer.from([tag, inner.length]), inner]);
      const list = (code: string): Buffer => field(0x0a, field(0x0a, Buffer.from(code)));
      return Buffer.concat(Array.from({ length: 400 }, (_, index) => list(`${mark}${index}`)));
    };
    const present = (): Record<string, string> =>
      Object.fromEntries(
        readdirSync(folder())
          .filter((name) => name.endsWith('.dat'))
          .map((name) => [name, digestOf(readFileSync(join(folder(), name)))]),
      );
    for (const name of GEO) served.set(`/${name}`, content('FIRST'));
    expect(await finished('/panel/api/server/updateGeofile')).toMatchObject({ state: 'done', error: '' });
    let before = present();
    expect(Object.keys(before).sort()).toEqual(GEO.toSorted());
    for (let round = 0; round < KILLS; round++) {
      const bytes = content(`R${round}-`);
      for (const name of GEO) served.set(`/${name}`, bytes);
      await panel.api.post('/panel/api/server/updateGeofile');
      await pause(Math.random() * 7_000);
      await killAndReturn();
      const after = present();
      const all = new Set(Object.values(after));
      // All of the update or nothing of it.
      expect([
        JSON.stringify(before),
        JSON.stringify(Object.fromEntries(Object.keys(before).map((name) => [name, digestOf(bytes)]))),
      ]).toContain(JSON.stringify(after));
      expect(all.size).toBe(1);
      expect(readdirSync(folder()).filter((name) => name !== 'xray' && !name.endsWith('.dat'))).toEqual([]);
      before = after;
    }
  });
});
