import { objectsOf } from '../apply/inbound-parts.ts';
import type { JsonObject } from '../config/source.ts';
import { healedOutbound, outboundProblem } from '../config/template/outbound-section.ts';
import type { CheckConfig } from '../process/config-check.ts';
import { withoutCulprits } from '../process/culprits.ts';

/** Why the core does not take an outbound, by its place in the list; those that it takes are absent. */
export type RefusedOutbounds = (
  outbounds: readonly JsonObject[],
  signal?: AbortSignal,
) => Promise<ReadonlyMap<number, string>>;

/** Asks the installed core about outbounds of strangers, all at once and without touching the running one. */
export function createOutboundCheck(check: CheckConfig, hasCore: () => Promise<boolean>): RefusedOutbounds {
  return async (outbounds, signal) => {
    const refused = new Map<number, string>();
    const sound: JsonObject[] = [];
    for (const [index, outbound] of outbounds.entries()) {
      // The names that the core will use in its answer.
      const named = { ...healedOutbound(outbound), tag: `entry-${index}` };
      const problem = outboundProblem(named, new Set());
      if (problem === null) sound.push(named);
      else refused.set(index, problem);
    }
    if (sound.length === 0 || !(await hasCore())) return refused;
    const checkUnlessAborted: CheckConfig = (config) => {
      signal?.throwIfAborted();
      return check(config);
    };
    const config = { log: { loglevel: 'none' }, outbounds: [{ protocol: 'freedom' }, ...sound] };
    const reason = await checkUnlessAborted(config);
    if (reason === '') return refused;
    const reduced = await withoutCulprits(config, reason, checkUnlessAborted, sound.length);
    for (const { name, reason: why } of reduced.leftOut) refused.set(indexOf(name), lastReason(why));
    // Not even the rest is taken, and nothing names what is wrong: nothing of it may reach the running core.
    if (reduced.reason !== '')
      for (const { tag } of objectsOf(reduced.config['outbounds']))
        if (typeof tag === 'string') refused.set(indexOf(tag), lastReason(reduced.reason));
    return refused;
  };
}

const indexOf = (name: string): number => Number(name.slice('entry-'.length));

/** Of the core's chain of reasons the last, which says what is wrong. */
const lastReason = (text: string): string => text.slice(text.lastIndexOf(' > ') + 1).replace(/^(> )?([\w/]+: )?/, '');
