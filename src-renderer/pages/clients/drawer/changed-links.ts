import type { ExternalLink } from '#contract/clients';

/** One change of a list of links. */
export interface LinkChange {
  /** The link it is about; null = a new one. */
  former: ExternalLink | null;
  /** What it becomes; null = it goes. */
  next: ExternalLink | null;
  /** Place of a new one; at the end when there are fewer, or when it is omitted. */
  at?: number;
}

const isSame = (a: ExternalLink, b: ExternalLink): boolean =>
  a.kind === b.kind && a.value === b.value && a.remark === b.remark;

/** The list after a change, everything else as it is; null when the link that it is about is there no more. */
export function changedLinks(links: readonly ExternalLink[], { former, next, at }: LinkChange): ExternalLink[] | null {
  const added = next === null ? [] : [next];
  if (former === null) return links.toSpliced(at ?? links.length, 0, ...added);
  const place = links.findIndex((link) => isSame(link, former));
  return place === -1 ? null : links.toSpliced(place, 1, ...added);
}
