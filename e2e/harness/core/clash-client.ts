import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../src-server/testing/free-port.ts';
import { waitFor } from '../wait-for.ts';
import { bytesThrough } from './local-proxy.ts';

/** The engine of Clash apps. */
const MIHOMO = process.env['MIHOMO_BINARY'] ?? '';
/** Why no Clash client can run here; empty = one can. */
export const NO_MIHOMO =
  MIHOMO === ''
    ? 'Set MIHOMO_BINARY to the program mihomo (docs/subscriptions.md says where it comes from)'
    : existsSync(MIHOMO)
      ? ''
      : `No mihomo at ${MIHOMO}`;
/** Its own settings; a subscription has none of them. */
const OWN = { ipv6: false, 'log-level': 'debug', 'geodata-mode': true };

/**
 * How many bytes a real Clash client receives with a YAML subscription. @throws {Error} with what it said, when it
 * refuses the document or receives nothing
 */
export async function fetchThroughClash(document: string, url: string): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-clash-'));
  const port = await freePort();
  const own = Object.entries({ 'mixed-port': port, ...OWN }).map(([name, value]) => `${name}: ${value}\n`);
  await writeFile(join(folder, 'config.yaml'), own.join('') + document);
  // The command runs as soon as it lets connections through; it listens earlier, and would cut them.
  const child = spawn(MIHOMO, ['-d', folder, '-post-up', 'touch is-running'], { cwd: folder });
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let said = '';
  for (const output of [child.stdout, child.stderr]) output.on('data', (chunk: Buffer) => (said += chunk.toString()));
  try {
    await waitFor('mihomo', () => child.exitCode !== null || existsSync(join(folder, 'is-running')));
    if (child.exitCode !== null) throw new Error('mihomo refuses the document');
    return await bytesThrough(port, url);
  } catch (error) {
    throw new Error(`${String(error)}\n${said}\n${document}`, { cause: error });
  } finally {
    child.kill('SIGKILL');
    await gone;
    await rm(folder, { recursive: true, force: true });
  }
}
