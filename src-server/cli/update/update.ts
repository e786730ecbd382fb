import { readFileSync } from 'node:fs';
import { outliveReader } from '../outlive-reader.ts';
import { createExchange } from './exchange.ts';
import { fetchReleases } from './release-list.ts';
import { serviceFiles } from './service-files.ts';
import { run, serviceOf } from './system.ts';
import { failureText } from './update-failure.ts';

const DATA = '/var/lib/switchyard';
const CACHE = '/var/cache/switchyard';
const PUBLIC_KEY = '/usr/lib/switchyard/share/release.pub';

/**
 * What `switchyard-update.service` runs, as root: exchanges the installed package when the panel has asked for it. The
 * address of packages and the trusted key are in files owned by root; the panel only names a version.
 */
async function main(): Promise<number> {
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  const files = serviceFiles(DATA);
  const base = (process.env['PANEL_DOWNLOADS'] ?? '').replace(/\/+$/, '');
  const exchange = createExchange({ dataDir: DATA, cacheDir: CACHE, base, service: serviceOf(DATA), files, say });
  const interrupted = await exchange.recover();
  if (interrupted !== null) files.writeStatus(interrupted.runId, interrupted.message);
  const request = files.takeRequest();
  if (request === null) return 0;
  let message: string;
  try {
    if (base === '') throw new Error('PANEL_DOWNLOADS names no folder of packages: set it in /etc/default/switchyard.');
    const architecture = await run('dpkg', ['--print-architecture']);
    message = await exchange.run(request, await fetchReleases(base, readFileSync(PUBLIC_KEY, 'utf8'), architecture));
  } catch (error) {
    message = failureText(error);
  }
  say(message === '' ? 'Done.' : message);
  files.writeStatus(request.runId, message);
  return message === '' ? 0 : 1;
}

outliveReader();
process.exitCode = await main();
