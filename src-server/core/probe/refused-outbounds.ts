import { DomainError } from '../../contract/domain-error.ts';
import { objectsOf } from '../apply/compare/inbound-parts.ts';
import type { JsonObject } from '../config/source.ts';
import { healedOutbound, outboundProblem } from '../config/template/outbound-section.ts';
import type { CheckConfig } from '../process/config-check.ts';
import { withoutCulprits } from '../process/output/culprits.ts';
import { inParallel } from '../../concurrency.ts';

/** Outbounds per test once the whole list was refused. */
const CHUNK = 32;
const CHECKS_AT_ONCE = 2;

/**
 * Why the core refuses an outbound, by its place in the list; accepted ones are absent.
 * @throws {DomainError} `core.noVerdict`
 */
export type RefusedOutbounds = (
  outbounds: readonly JsonObject[],
  signal?: AbortSignal,
) => Promise<ReadonlyMap<number, string>>;

/** Tests foreign outbounds with the installed core, all at once and without touching the running one. */
export function createOutboundCheck(check: CheckConfig, hasCore: () => Promise<boolean>): RefusedOutbounds {
  return async (outbounds, signal) => {
    const refused = new Map<number, string>();
    const sound: JsonObject[] = [];
    for (const [index, outbound] of outbounds.entries()) {
      // The names that the core will use in its message.
      const named = { ...healedOutbound(outbound), tag: `entry-${index}` };
      const problem = outboundProblem(named, new Set());
      if (problem === null) sound.push(named);
      else refused.set(index, problem.text);
    }
    if (sound.length === 0 || !(await hasCore())) return refused;
    const checkUnlessAborted: CheckConfig = (config) => {
      signal?.throwIfAborted();
      return check(config);
    };
    // All at once may take longer than a test may.
    const isAccepted = await checkUnlessAborted(configOf(sound)).then((reason) => reason === '', unlessDomainError);
    if (isAccepted) return refused;
    // The core names one at a time: in small configs each such test costs little.
    const chunks = Array.from({ length: Math.ceil(sound.length / CHUNK) }, (_, at) =>
      sound.slice(at * CHUNK, (at + 1) * CHUNK),
    );
    await inParallel(chunks, CHECKS_AT_ONCE, async (chunk) => {
      const reason = await checkUnlessAborted(configOf(chunk));
      if (reason !== '') await findRefused(chunk, reason, checkUnlessAborted, refused);
    });
    return refused;
  };
}

function unlessDomainError(error: unknown): false {
  if (error instanceof DomainError) return false;
  throw error;
}

async function findRefused(
  chunk: readonly JsonObject[],
  reason: string,
  check: CheckConfig,
  refused: Map<number, string>,
): Promise<void> {
  const reduced = await withoutCulprits(configOf(chunk), reason, check, chunk.length);
  for (const { name, reason: why } of reduced.leftOut) refused.set(indexOf(name), lastReason(why));
  if (reduced.reason === '') return;
  // Not even the rest is accepted, and no outbound is named: nothing of it may reach the running core.
  for (const { tag } of objectsOf(reduced.config['outbounds']))
    if (typeof tag === 'string') refused.set(indexOf(tag), lastReason(reduced.reason));
}

/** The first outbound is never one of those in question: as the default route it would be treated differently. */
const configOf = (outbounds: readonly JsonObject[]): JsonObject => ({
  log: { loglevel: 'none' },
  outbounds: [{ protocol: 'freedom' }, ...outbounds],
});

const indexOf = (name: string): number => Number(name.slice('entry-'.length));

/** The last in the core's chain of reasons, which says what is wrong. */
const lastReason = (text: string): string => text.slice(text.lastIndexOf(' > ') + 1).replace(/^(> )?([\w/]+: )?/, '');
