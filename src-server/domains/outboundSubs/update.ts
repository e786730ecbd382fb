import type { Updateable } from 'kysely';
import { textOf } from '../../core/config/json-access.ts';
import type { Schema } from '../../store/schema.ts';
import { freePrefix, withPrefix } from './assign-tags.ts';
import type { OutboundSubForm } from './contract.ts';
import { knownTagsOf, outboundsOf } from './refresh.ts';
import type { StoredSub } from './repository.ts';

/**
 * The changes of a form to a stored row; a new prefix renames its outbounds at once.
 * @param among prefixes of the other subscriptions, and occupied tags
 * @returns `isRunning`: the running core has to be updated
 */
export function changeOf(
  row: StoredSub,
  form: OutboundSubForm & { url: string },
  among: { prefixes: readonly string[]; taken: ReadonlySet<string> },
): { changed: Updateable<Schema['outboundSubs']>; isRunning: boolean } {
  const flag = (wanted: boolean | undefined, now: 0 | 1): 0 | 1 => (wanted === undefined ? now : wanted ? 1 : 0);
  const enabled = flag(form.enabled, row.enabled);
  const prepend = flag(form.prepend, row.prepend);
  const tagPrefix = prefixOf(row, form.tagPrefix, among.prefixes);
  const changed = {
    remark: form.remark ?? row.remark,
    url: form.url,
    enabled,
    allowPrivate: flag(form.allowPrivate, row.allowPrivate),
    prepend,
    tagPrefix,
    updateIntervalSec: form.updateInterval ?? row.updateIntervalSec,
    // Due at the next tick, in case the first fetch of the new URL fails.
    lastUpdatedAtMs: form.url === row.url ? row.lastUpdatedAtMs : 0,
  };
  const isRenamed = tagPrefix !== row.tagPrefix;
  const isRunning = enabled !== row.enabled || (enabled === 1 && (prepend !== row.prepend || isRenamed));
  return { changed: isRenamed ? { ...changed, ...renamed(row, tagPrefix, among.taken) } : changed, isRunning };
}

/** A blank prefix keeps a generated one, and discards a custom one. */
function prefixOf(row: StoredSub, wanted: string | undefined, others: readonly string[]): string {
  if (wanted === undefined) return row.tagPrefix;
  if (wanted !== '') return wanted;
  return /^sub\d+-$/.test(row.tagPrefix) ? row.tagPrefix : freePrefix(others);
}

function renamed(row: StoredSub, prefix: string, taken: ReadonlySet<string>) {
  const before = knownTagsOf(row);
  const known = withPrefix(before, row.tagPrefix, prefix, taken);
  const tagOf = new Map(before.map(({ tag }, index) => [tag, known[index]!.tag]));
  const outbounds = outboundsOf(row).map((outbound) => ({ ...outbound, tag: tagOf.get(textOf(outbound['tag'])) }));
  return { knownTags: JSON.stringify(known), outbounds: JSON.stringify(outbounds) };
}
