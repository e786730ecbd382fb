import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { coreBinary } from './core/core-binary.ts';
import { requestThrough, bytesThrough } from './core/local-proxy.ts';
import { freePort } from '../../src-server/testing/free-port.ts';
import { accepts } from '../../src-server/testing/peers/local-server.ts';
import { waitFor } from './wait-for.ts';

export interface CoreClient {
  /** Fetches through the tunnel and returns the number of body bytes. Throws on refusal, reset or time-out. */
  fetchBytes(url: string, timeoutMs?: number): Promise<number>;
  /** Opens a transfer and reports every chunk until it ends. */
  stream(url: string): Promise<Transfer>;
  close(): Promise<void>;
}

export interface Transfer {
  receivedBytes(): number;
  /** Longest silence between two chunks so far, in ms. */
  longestGapMs(): number;
  isOpen(): boolean;
  ended: Promise<void>;
  abort(): void;
}

/** A real proxy client: the core with one outbound, entered through its local HTTP proxy. */
export async function startCoreClient(outbound: Record<string, unknown>): Promise<CoreClient> {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-client-'));
  const port = await freePort();
  const config = {
    log: { loglevel: 'warning' },
    inbounds: [{ listen: '127.0.0.1', port, protocol: 'http', settings: {} }],
    outbounds: [{ tag: 'proxy', ...outbound }],
  };
  await writeFile(join(folder, 'client.json'), JSON.stringify(config));
  const child = spawn(coreBinary(), ['run', '-c', join(folder, 'client.json')], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await waitFor(`client core on ${port}`, () => {
    if (child.exitCode !== null) throw new Error(`client core ended: ${output}`);
    return accepts(port);
  });

  return {
    fetchBytes: (url, timeoutMs) => bytesThrough(port, url, timeoutMs),
    async stream(url) {
      const response = await requestThrough(port, url);
      let received = 0;
      let lastAt = performance.now();
      let longest = 0;
      let isOpen = true;
      response.on('data', (chunk: Buffer) => {
        const now = performance.now();
        longest = Math.max(longest, now - lastAt);
        lastAt = now;
        received += chunk.length;
      });
      response.on('error', () => {});
      const ended = new Promise<void>((resolve) => {
        response.once('close', () => {
          isOpen = false;
          resolve();
        });
      });
      return {
        receivedBytes: () => received,
        longestGapMs: () => longest,
        isOpen: () => isOpen,
        ended,
        abort: () => response.destroy(),
      };
    },
    async close() {
      const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      child.kill('SIGTERM');
      await gone;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
