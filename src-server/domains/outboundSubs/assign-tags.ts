/** What is remembered about a server, so that it gets the same tag when it returns. */
export interface KnownTag {
  identity: string;
  tag: string;
  /** Position in the last list that contained it. */
  position: number;
  /** Ms since 1970. */
  seenAtMs: number;
}

/** How long the tag of a missing server is reserved. */
const REMEMBERED_MS = 30 * 24 * 3_600_000;
/** Most missing servers that are remembered: the latest ones. */
const MAX_REMEMBERED = 2_000;
const LONGEST_NAME = 64;

/**
 * Tags for a provider's list, as used in routing rules: a server keeps its tag however it is renamed or moved. A new
 * server takes the tag at its position if the server that had it is gone (credentials were replaced), otherwise a fresh
 * one.
 * @param known from the previous list, and from earlier ones
 * @param taken tags of other subscriptions and of the template
 * @returns the tags in the order of the entries, and what to remember
 */
export function assignTags(
  entries: readonly { identity: string; name: string }[],
  {
    known,
    prefix,
    taken,
    nowMs,
  }: { known: readonly KnownTag[]; prefix: string; taken: ReadonlySet<string>; nowMs: number },
): { tags: string[]; known: KnownTag[] } {
  const byIdentity = new Map(known.map((entry) => [entry.identity, entry]));
  const present = new Set(entries.map(({ identity }) => identity));
  const latestMs = Math.max(0, ...known.map(({ seenAtMs }) => seenAtMs));
  const replaceable = new Map(
    known
      .filter(({ identity, seenAtMs }) => !present.has(identity) && seenAtMs === latestMs)
      .map((entry) => [entry.position, entry]),
  );
  const used = new Set(taken);
  const tags: (string | undefined)[] = entries.map(({ identity }) => {
    const tag = byIdentity.get(identity)?.tag;
    if (tag === undefined || used.has(tag)) return undefined;
    used.add(tag);
    return tag;
  });
  const inherited = new Set<string>();
  for (const [position, tag] of tags.entries()) {
    const before = replaceable.get(position);
    if (tag !== undefined || before === undefined || used.has(before.tag)) continue;
    tags[position] = before.tag;
    used.add(before.tag);
    inherited.add(before.identity);
  }
  const absent = known
    .filter(
      ({ identity, seenAtMs }) =>
        !present.has(identity) && !inherited.has(identity) && nowMs - seenAtMs < REMEMBERED_MS,
    )
    .toSorted((one, other) => other.seenAtMs - one.seenAtMs)
    .slice(0, MAX_REMEMBERED);
  for (const { tag } of absent) used.add(tag);
  const given = entries.map(({ name }, position) => {
    const tag = tags[position] ?? freshTag(prefix, slugOf(name) || String(position + 1), used);
    used.add(tag);
    return tag;
  });
  const now = entries.map(({ identity }, position) => ({ identity, tag: given[position]!, position, seenAtMs: nowMs }));
  return { tags: given, known: [...now, ...absent] };
}

function freshTag(prefix: string, name: string, used: ReadonlySet<string>): string {
  const stem = [prefix.replace(/-+$/, ''), name].filter((part) => part !== '').join('-');
  for (let copy = 0; ; copy += 1) {
    const tag = copy === 0 ? stem : `${stem}-${copy}`;
    if (!used.has(tag)) return tag;
  }
}

/** Lower case, with runs of other characters than letters and digits as one dash. */
function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, LONGEST_NAME)
    .replaceAll(/^-|-$/g, '');
}

/** The smallest `subN-` that no other subscription uses. */
export function freePrefix(used: readonly string[]): string {
  const numbers = new Set(used.map((prefix) => Number(/^sub(\d+)-$/.exec(prefix)?.[1] ?? 0)));
  let number = 1;
  while (numbers.has(number)) number += 1;
  return `sub${number}-`;
}

/**
 * The remembered tags under a new prefix, so that selecting by prefix finds every server of the list.
 * @param taken tags of other subscriptions and of the template
 */
export function withPrefix(
  known: readonly KnownTag[],
  from: string,
  to: string,
  taken: ReadonlySet<string>,
): KnownTag[] {
  const oldStem = `${from.replace(/-+$/, '')}-`;
  const used = new Set(taken);
  return known.map((entry) => {
    const name = entry.tag.startsWith(oldStem) ? entry.tag.slice(oldStem.length) : entry.tag;
    const tag = freshTag(to, name, used);
    used.add(tag);
    return { ...entry, tag };
  });
}
