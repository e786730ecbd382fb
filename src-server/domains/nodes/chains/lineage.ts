import { DomainError } from '../../../contract/domain-error.ts';
import type { NodeRow } from '../stored-types.ts';

/** Panels above tell every 30 s; one that has been silent for this long manages this panel no more. */
const FRESH_MS = 90_000;
/** Panels above whose word is kept at the same time, and panels above them. */
const MAX_MASTERS = 32;
const MAX_ABOVE = 1_000;

/** Panels that manage this one, and those that manage them, as they tell. In memory: they tell again. */
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
    /** @param above panels that manage the telling one, directly or through others */
    note(masterGuid: string, above: readonly string[]): void {
      if (masterGuid === '' || masterGuid === ownGuid) return;
      if (!reported.has(masterGuid) && current().length >= MAX_MASTERS) return;
      reported.set(masterGuid, { above: above.slice(0, MAX_ABOVE), atMs: clock() });
    },
    /** Everybody above this panel. */
    all: (): ReadonlySet<string> => others(current().flatMap(([guid, above]) => [guid, ...above])),
    /** Those that manage this panel through others. Whether one manages it directly that one tells when it is asked. */
    distant: (): ReadonlySet<string> => others(current().flatMap(([, above]) => above)),
  };
}
export type Ancestors = ReturnType<typeof createAncestors>;

/** A panel that is, or is to become, a node. */
interface Candidate {
  /** 0 = not saved. */
  id: number;
  /** Empty = it does not say. */
  guid: string;
  /** GUIDs of the panels it manages; null = it does not say. */
  below: readonly string[] | null;
}

/** Where this panel stands among others. */
export interface Lineage {
  ownGuid: string;
  ancestors: Ancestors;
  nodes: readonly Pick<NodeRow, 'id' | 'guid' | 'name'>[];
}

/**
 * Why a panel cannot be a node of this one: its inbounds would come back for ever, or be counted twice. It is judged by what it
 * says of itself, so that no panel can take the place of another by what it says; null = it can.
 */
export function lineageRefusal({ id, guid, below }: Candidate, lineage: Lineage): DomainError | null {
  const { ownGuid, ancestors, nodes } = lineage;
  if (guid === '') return null;
  if (guid === ownGuid) return new DomainError('node.isThisPanel');
  const others = nodes.filter((node) => node.id !== id && node.guid !== '');
  // Of two rows that have had the same panel all along the first one keeps it.
  const isKnown = nodes.some((node) => node.id === id && node.guid === guid);
  const twin = others.find((node) => node.guid === guid && (!isKnown || node.id < id));
  if (twin !== undefined) return new DomainError('node.alreadyAdded', { name: twin.name });
  const above = below === null ? ancestors.all() : ancestors.distant();
  if (above.has(guid) || below?.includes(ownGuid) === true) return new DomainError('node.isAbove');
  const shared = others.find((node) => below?.includes(node.guid) === true);
  return shared === undefined ? null : new DomainError('node.managesNode', { name: shared.name });
}

/**
 * Why a panel is not added: it stands behind a node already. Only asked before it is saved, because it is what others say.
 * @param hosts ids of nodes through which inbounds of it have come
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

/** Whether this says that a panel has no place as a node. */
export const isLineageRefusal = (code: string): boolean => REFUSALS.has(code);
