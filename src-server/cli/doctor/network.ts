import { lookup } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';
import { allMasters } from '../../domains/nodes/masters/repository.ts';
import type { Settings } from '../../domains/settings/contract.ts';
import { createGuardedDialer } from '../../net/guarded-dialer.ts';
import { withReader } from './database.ts';
import { fine, todo, type Finding } from './finding.ts';

const RESPOND_WITHIN_MS = 5_000;
/** Clock error that certificates, one-time codes and the strictest client protocols tolerate. */
const CLOCK_TOLERANCE_MS = 60_000;
const MAX_BYTES = 1024 * 1024;

/** Whether the panel's names resolve, its masters are reachable, and the clock is right. */
export async function checkNetwork(dataDir: string, settings: Settings): Promise<Finding[]> {
  const names = new Set([settings.webDomain, settings.subDomain].filter((name) => name !== ''));
  const found = await Promise.all([...names].map(checkName));
  return [...found, ...(await checkOthers(dataDir))];
}

async function checkName(name: string): Promise<Finding> {
  try {
    const addresses = (await lookup(name, { all: true })).map(({ address }) => address);
    const own = new Set(
      Object.values(networkInterfaces()).flatMap((each) => each?.map(({ address }) => address) ?? []),
    );
    const where = addresses.some((address) => own.has(address))
      ? 'this machine'
      : 'no address of this machine itself, as behind a router or a proxy';
    return fine(`${name} leads to ${addresses.join(', ')}: ${where}.`);
  } catch {
    return todo(`${name} has no address. Enter it at the name server, or correct the domain in the settings.`);
  }
}

/** Other machines that this one talks to; each tells its time. */
async function checkOthers(dataDir: string): Promise<Finding[]> {
  const masters = await mastersOf(dataDir);
  const named = ['PANEL_DOWNLOADS', 'PANEL_RELEASES'].flatMap((name) => process.env[name] || []);
  const findings: Finding[] = [];
  for (const [what, url] of [
    ...masters.map((master) => [`The master ${master.name}`, master.url] as const),
    ...named.map((address) => ['The place of updates', address] as const),
  ])
    findings.push(await checkOther(what, url));
  return findings.length > 0
    ? findings
    : [fine('The clock was compared with nobody: no master and no place of updates is known.')];
}

async function checkOther(what: string, url: string): Promise<Finding> {
  const sentAtMs = Date.now();
  try {
    const { headers } = await createGuardedDialer().fetch(url, {
      allowPrivate: true,
      maxBytes: MAX_BYTES,
      timeoutMs: RESPOND_WITHIN_MS,
      // Its identity is checked elsewhere; here only its time counts.
      tls: { rejectUnauthorized: false },
    });
    const offMs = Date.parse(headers.date ?? '') - (sentAtMs + Date.now()) / 2;
    if (Number.isNaN(offMs)) return fine(`${what} answers at ${url}.`);
    const seconds = Math.round(Math.abs(offMs) / 1000);
    if (Math.abs(offMs) <= CLOCK_TOLERANCE_MS)
      return fine(`${what} answers at ${url}, and its clock agrees with this one.`);
    const side = offMs > 0 ? 'behind' : 'ahead of';
    return todo(`The clock of this machine is ${seconds} s ${side} that of ${url}. Set it: timedatectl set-ntp true`);
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return todo(`${what} does not answer at ${url}: ${text}. Look at its firewall, and at the name and port.`);
  }
}

async function mastersOf(dataDir: string) {
  try {
    return await withReader(dataDir, allMasters);
  } catch {
    // A database of an older version, which the next start migrates.
    return [];
  }
}
