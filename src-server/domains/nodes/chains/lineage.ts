import { DomainError } from '../../../contract/domain-error.ts';
import type { NodeRow } from '../stored-types.ts';

/** Masters report every 30 s; one that has been silent for this long no longer counts as a master. */
const FRESH_MS = 90_000;
/** Limits on remembered masters, and on the panels above each of them. */
const MAX_MASTERS = 32;
const MAX_ABOVE = 1_000;

/** Panels that manage this one, and the panels above those, as reported. In memory: the reports repeat. */
export function createAncestors(ownGuid: string, clock: () => number) {
  const reported = new Map<string, { above: readonly string[]; atMs: number }>();

  function current(): [string, readonly string[]][] {
    const sinceMs = clock() - FRESH_MS;
    for (const [guid, { atMs }] of reported) if (atMs < sinceMs) reported.delete(guid);
    return [...reported].map(([guid, { above }]) => [guid, above]);
  }

  const others = (guids: readonly string[]): ReadonlySet<string> =>
    new Set(guids.filter((guid) => guid !== '' && guid !== ownGuid));

  return {
    /** @param above panels that manage the reporting one, directly or through others */
    note(masterGuid: string, above: readonly string[]): void {
      if (masterGuid === '' || masterGuid === ownGuid) return;
      if (!reported.has(masterGuid) && current().length >= MAX_MASTERS) return;
      reported.set(masterGuid, { above: above.slice(0, MAX_ABOVE), atMs: clock() });
    },
    /** All panels above this one. */
    all: (): ReadonlySet<string> => others(current().flatMap(([guid, above]) => [guid, ...above])),
    /** Panels that manage this one through others. A panel reports direct management when requested. */
    distant: (): ReadonlySet<string> => others(current().flatMap(([, above]) => above)),
  };
}
export type Ancestors = ReturnType<typeof createAncestors>;

/** A panel that is, or is to become, a node. */
interface Candidate {
  /** 0 = not saved. */
  id: number;
  /** Empty = not reported. */
  guid: string;
  /** GUIDs of the panels it manages; null = not reported. */
  below: readonly string[] | null;
}

/** This panel's place among others. */
export interface Lineage {
  ownGuid: string;
  ancestors: Ancestors;
  nodes: readonly Pick<NodeRow, 'id' | 'guid' | 'name'>[];
}

/**
 * Why a panel cannot be a node of this one: its inbounds would loop back forever or be counted twice. The check uses
 * only what the panel reports about itself, so no panel can displace another by a claim about it; null = it can be a
 * node.
 */
export function lineageRefusal({ id, guid, below }: Candidate, lineage: Lineage): DomainError | null {
  const { ownGuid, ancestors, nodes } = lineage;
  if (guid === '') return null;
  if (guid === ownGuid) return new DomainError('node.isThisPanel');
  const others = nodes.filter((node) => node.id !== id && node.guid !== '');
  // When two rows have always had the same panel, the first one keeps it.
  const isKnown = nodes.some((node) => node.id === id && node.guid === guid);
  const twin = others.find((node) => node.guid === guid && (!isKnown || node.id < id));
  if (twin !== undefined) return new DomainError('node.alreadyAdded', { name: twin.name });
  // A node that is known already is not taken away by what other panels report about those above.
  const above = below === null ? ancestors.all() : isKnown ? null : ancestors.distant();
  if (above?.has(guid) === true || below?.includes(ownGuid) === true) return new DomainError('node.isAbove');
  const shared = others.find((node) => below?.includes(node.guid) === true);
  return shared === undefined ? null : new DomainError('node.managesNode', { name: shared.name });
}

/** Why a panel is not added: it manages one that manages this one. Checked only before saving. */
export function circleRefusal({ below }: Pick<Candidate, 'below'>, ancestors: Ancestors): DomainError | null {
  const above = ancestors.all();
  return below?.some((guid) => above.has(guid)) === true ? new DomainError('node.isAbove') : null;
}

/**
 * Why a panel is not added: it is already behind a node. Checked only before saving, because it rests on what other
 * panels report.
 * @param hosts ids of nodes through which inbounds of it have arrived
 */
export function behindRefusal(
  { id, guid }: Pick<Candidate, 'id' | 'guid'>,
  {
    nodes,
    below,
    hosts,
  }: Pick<Lineage, 'nodes'> & { below: (nodeId: number) => string[] | null; hosts: readonly number[] },
): DomainError | null {
  if (guid === '') return null;
  const through = nodes.find(
    (node) => node.id !== id && (hosts.includes(node.id) || below(node.id)?.includes(guid) === true),
  );
  return through === undefined ? null : new DomainError('node.isBehind', { name: through.name });
}

const REFUSALS: ReadonlySet<string> = new Set([
  'node.isThisPanel',
  'node.alreadyAdded',
  'node.isAbove',
  'node.managesNode',
  'node.isBehind',
]);

/** Whether the code means that a panel cannot be a node. */
export const isLineageRefusal = (code: string): boolean => REFUSALS.has(code);
