import { DomainError } from '../../contract/domain-error.ts';
import type { Logger } from '../../contract/logger.ts';
import type { RealityScan } from './contract.ts';
import { refused, type Probe } from './probe.ts';
import { hostOf, membersOf, parseTarget, SEED_TARGETS, type Target } from './targets.ts';
import { hostAndPort } from '../../contract/host-and-port.ts';

const DOMAIN_MS = 10_000;
const ADDRESS_MS = 4_000;
const AT_ONCE = 32;
const MAX_TARGETS = 512;
const BUDGET_MS = 60_000;

interface ScanJob {
  signal: AbortSignal;
  report: (progress: { done: number; total: number }) => void;
}
interface StartedScan {
  id: string;
  ended: Promise<{ state: string; result: unknown }>;
}
export interface RealityScanDeps {
  probe: Probe;
  jobs: {
    start(job: { kind: string; title: string; run: (job: ScanJob) => Promise<RealityScan[]> }): StartedScan;
  };
  log: Logger;
  /** Time limit of one batch, in ms. */
  budgetMs?: number;
}
export type RealityScanService = ReturnType<typeof createRealityScanService>;

export function createRealityScanService({ probe, jobs, log, budgetMs = BUDGET_MS }: RealityScanDeps) {
  function startBatch(text: string): StartedScan {
    const { targets, refusals } = listOf(text);
    return jobs.start({
      kind: 'scanRealityTargets',
      title: `Looking at ${targets.length + refusals.length} REALITY targets`,
      run: async (job) => ranked([...(await probeAll(probe, targets, budgetMs, job)), ...refusals]),
    });
  }

  return {
    /** @throws {DomainError} `realityScan.invalid`: nothing was dialled */
    async scan(text: string, options: { sni: string; allowPrivate: boolean }): Promise<RealityScan> {
      const parsed = parseTarget(text);
      if (!parsed.ok) throw new DomainError('realityScan.invalid', { text: parsed.reason });
      const { target } = parsed;
      const sni = options.sni.trim() === '' ? (target.isAddress ? '' : target.host) : hostOf(options.sni);
      if (sni === null) throw new DomainError('realityScan.invalid', { text: `invalid SNI: ${options.sni}` });
      if (options.allowPrivate) log.info('realityScan.privateAllowed', { host: target.host, port: target.port });
      const timeoutMs = target.isAddress ? ADDRESS_MS : DOMAIN_MS;
      return probe(target, { sni, timeoutMs, allowPrivate: options.allowPrivate });
    },

    /** @param text comma-separated; empty = the built-in list */
    startBatch: (text: string): { jobId: string } => ({ jobId: startBatch(text).id }),

    /** @throws {DomainError} `realityScan.cancelled` */
    async batch(text: string): Promise<RealityScan[]> {
      const { state, result } = await startBatch(text).ended;
      if (state !== 'done') throw new DomainError('realityScan.cancelled');
      return result as RealityScan[];
    },
  };
}

function listOf(text: string): { targets: Target[]; refusals: RealityScan[] } {
  const named = text
    .split(',')
    .map((token) => token.trim())
    .filter((token) => token !== '');
  const targets: Target[] = [];
  const refusals: RealityScan[] = [];
  for (const token of named.length === 0 ? SEED_TARGETS : named) {
    if (targets.length + refusals.length >= MAX_TARGETS) break;
    if (token.includes('/')) {
      const members = membersOf(token);
      if (members === null) refusals.push(refused(token, `invalid CIDR: ${token}`));
      else targets.push(...members);
    } else {
      const parsed = parseTarget(token);
      if (parsed.ok) targets.push(parsed.target);
      else refusals.push(refused(token, `invalid target: ${parsed.reason}`));
    }
  }
  return { targets: targets.slice(0, MAX_TARGETS - refusals.length), refusals };
}

async function probeAll(
  probe: Probe,
  targets: readonly Target[],
  budgetMs: number,
  { signal, report }: ScanJob,
): Promise<RealityScan[]> {
  const budget = AbortSignal.timeout(budgetMs);
  const stop = AbortSignal.any([budget, signal]);
  const results: RealityScan[] = [];
  let next = 0;
  let done = 0;
  async function work(): Promise<void> {
    while (next < targets.length) {
      const target = targets[next++]!;
      const result = stop.aborted ? outOfTime(target) : await probeOne(target);
      report({ done: ++done, total: targets.length });
      // A network scan searches for servers: silent addresses are not worth a line.
      if (!target.isMember || result.latencyMs > 0) results.push(result);
    }
  }
  async function probeOne(target: Target): Promise<RealityScan> {
    const timeoutMs = target.isAddress ? ADDRESS_MS : DOMAIN_MS;
    const sni = target.isAddress ? '' : target.host;
    const result = await probe(target, { sni, timeoutMs, allowPrivate: false, signal: stop });
    return budget.aborted && result.latencyMs === 0 ? outOfTime(target) : result;
  }
  report({ done: 0, total: targets.length });
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, targets.length) }, work));
  signal.throwIfAborted();
  return results;
}

function outOfTime({ host, port }: Target): RealityScan {
  return refused(hostAndPort(host, port), 'scan time budget exceeded');
}

/** One result per target, feasible and then fast ones first; silent ones last. */
function ranked(results: readonly RealityScan[]): RealityScan[] {
  const cost = ({ feasible, latencyMs }: RealityScan): number =>
    (feasible ? 0 : 1e9) + (latencyMs === 0 ? 1e8 : latencyMs);
  const best = new Map<string, RealityScan>();
  for (const result of results) {
    const other = best.get(result.target);
    if (other === undefined || cost(result) < cost(other)) best.set(result.target, result);
  }
  return [...best.values()].sort((one, other) => cost(one) - cost(other));
}
