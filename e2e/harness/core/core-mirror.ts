import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { coreBinary } from './core-binary.ts';
import { newDataDir, startPanel, type PanelProcess } from '../panel-process.ts';
import { pause, waitFor } from '../wait-for.ts';
import { listening, originOf } from '../../../src-server/testing/peers/local-server.ts';

interface Job {
  state: string;
  error: string;
}

const GEO = ['geoip.dat', 'geosite.dat', 'geoip_IR.dat', 'geosite_IR.dat', 'geoip_RU.dat', 'geosite_RU.dat'];
const PIECES = 40;
const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/**
 * A panel with its own core, and a mirror from which it installs others and geo files.
 * @param options.pieceMs delay after each chunk of a file
 */
export async function startPanelWithMirror(options: { pieceMs: number; env?: Record<string, string> }) {
  const served = new Map<string, Buffer>();
  const mirror = createServer((request, response) => {
    const path = request.url ?? '';
    const content = [...served].find(([end]) => path.endsWith(end))?.[1];
    if (content === undefined) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-length': content.length, 'last-modified': new Date().toUTCString() });
    void send(response, content);
  });
  async function send(response: ServerResponse, content: Buffer): Promise<void> {
    const step = options.pieceMs === 0 ? content.length : Math.ceil(content.length / PIECES);
    for (let at = 0; at < content.length && !response.destroyed; at += step) {
      response.write(content.subarray(at, at + step));
      if (options.pieceMs > 0) await pause(options.pieceMs);
    }
    response.end();
  }

  const real = readFileSync(coreBinary());
  // The loader ignores trailing bytes, so these are three different files of one version.
  const [before, ...others] = ['before', 'one', 'two'].map((mark) => Buffer.concat([real, Buffer.from(mark)]));
  const archives = others.map((core) => ({
    core: digestOf(core),
    archive: Buffer.from(zipSync({ xray: core }, { level: 0 })),
  }));
  await listening(mirror);
  const origin = originOf(mirror);
  const dataDir = await newDataDir();
  const folder = join(dataDir, 'core');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'xray'), before!, { mode: 0o755 });
  const env = { CORE_BINARY: '', CORE_MIRROR: `${origin}/core`, GEO_MIRROR: `${origin}/geo`, ...options.env };
  const panel: PanelProcess = await startPanel({ dataDir, core: null, env });
  const { core } = await waitFor('a running core', async () => {
    const now = await panel.api.get<{ core: { state: string; version: string } }>('/panel/api/server/status');
    return now.core.state === 'running' && now;
  });
  served.set('/releases.json', Buffer.from(JSON.stringify([{ tag_name: `v${core.version}`, prerelease: true }])));

  return {
    panel,
    /** Which core is installed. */
    coreDigest: (): string => digestOf(readFileSync(join(folder, 'xray'))),
    /** Publishes a core that differs from the installed one. @returns its digest */
    publishOtherCore(): string {
      const installed = digestOf(readFileSync(join(folder, 'xray')));
      const { core: digest, archive } = archives.find((each) => each.core !== installed)!;
      served.set('.zip', archive);
      served.set('.zip.dgst', Buffer.from(`SHA2-256= ${digestOf(archive)}\n`));
      return digest;
    },
    /** Publishes every geo file with this mark. @returns the contents of the folder once they are installed */
    publishGeoFiles(mark: string): Record<string, string> {
      const field = (tag: number, inner: Buffer): Buffer => Buffer.concat([Buffer.from([tag, inner.length]), inner]);
      const list = (code: string): Buffer => field(0x0a, field(0x0a, Buffer.from(code)));
      const bytes = Buffer.concat(Array.from({ length: 400 }, (_, index) => list(`${mark}${index}`)));
      for (const name of GEO) served.set(`/${name}`, bytes);
      return Object.fromEntries(GEO.toSorted().map((name) => [name, digestOf(bytes)]));
    },
    /** The installed geo files, by name. */
    geoFiles: (): Record<string, string> =>
      Object.fromEntries(
        readdirSync(folder)
          .filter((name) => name.endsWith('.dat'))
          .sort()
          .map((name) => [name, digestOf(readFileSync(join(folder, name)))]),
      ),
    /** Other files beside the core and the geo files: none, unless something was left behind. */
    leftInFolder: (): string[] => readdirSync(folder).filter((name) => name !== 'xray' && !name.endsWith('.dat')),
    async finished(path: string): Promise<Job> {
      const { jobId } = await panel.api.post<{ jobId: string }>(path);
      return waitFor(
        'the job',
        async () => {
          const job = await panel.api.get<Job>(`/panel/api/jobs/${jobId}`);
          return job.state === 'running' ? undefined : job;
        },
        60_000,
      );
    },
    async closeMirror(): Promise<void> {
      mirror.closeAllConnections();
      await new Promise((done) => mirror.close(done));
    },
  };
}
