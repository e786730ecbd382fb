import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Api } from './api.ts';
import { coreBinary } from './core/core-binary.ts';

/** The core's own counters of a user or an inbound in bytes, read directly, not through the panel. */
export async function coreFigures(
  api: Api,
  kind: 'user' | 'inbound',
  name: string,
): Promise<{ up: number; down: number }> {
  const config = await api.get<{ api: { listen: string } }>('/panel/api/server/getConfigJson');
  const listen = config.api.listen.split(',')[0]!;
  const server = listen.startsWith('/') ? `unix://${listen}` : listen;
  const { stdout } = await promisify(execFile)(coreBinary(), [
    'api',
    'statsquery',
    `--server=${server}`,
    '-pattern',
    `${kind}>>>${name}>>>`,
  ]);
  const stats = (JSON.parse(stdout) as { stat?: { name: string; value?: number }[] }).stat ?? [];
  const of = (direction: string) =>
    stats.find((stat) => stat.name === `${kind}>>>${name}>>>traffic>>>${direction}`)?.value ?? 0;
  return { up: of('uplink'), down: of('downlink') };
}

/** Ids of running cores whose command line names this folder. */
export async function coresOf(dataDir: string): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid=,args=']);
  return stdout
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(.*)$/.exec(line))
    .filter((match) => match !== null)
    .filter((match) => match[2]!.includes(dataDir) && / run /.test(match[2]!))
    .map((match) => Number(match[1]));
}

/** A core outlives a panel that was killed together with its launcher: no journey may leave one behind. */
export async function endLeftCores(dataDir: string): Promise<void> {
  if (!existsSync(join(dataDir, 'core.pid.json'))) return;
  for (const pid of await coresOf(dataDir)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended meanwhile.
    }
  }
}
