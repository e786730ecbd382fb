import { foldText } from '../../../store/fold-text.ts';
import type { Store } from '../../../store/open-store.ts';
import { findHeld } from '../adoption/take-over.ts';
import { entriesReported } from '../sync/follow/follow-entries.ts';
import { inboundSides } from '../sync/follow/follow-inbound.ts';
import type { Reported, ReportedInbound } from '../sync/reported.ts';
import { heldInbounds, type HeldInbound } from '../sync/push/repository-push.ts';
import { MEMBERS, remoteTagOf } from '../sync/wire.ts';
import type { DriftRow } from './contract.ts';
import { clientFacts, differing, differingEither, entryFacts, inboundFacts, inboundList, type Facts } from './facts.ts';
import { clientStatesOf, inboundApplied, type NodeClientState } from './repository-applied.ts';
import { keptOn, type Kept } from './repository-drift.ts';

/** Differing clients kept per reading; beyond that some have to be settled first. */
const MAX_CLIENTS = 5_000;
const MAX_NAME_CHARACTERS = 1_024;

/** A row of the comparison, with the values of both sides. */
export interface ReadRow extends Omit<DriftRow, 'fields'> {
  want: Facts;
  applied: Facts | null;
  has: Facts;
  /** Fields that differ. */
  differ: string[];
  /** Ids here of the inbounds on which it was seen. */
  seenOn: number[];
}

/** A node's state at one moment, compared. */
export interface Reading {
  readAtMs: number;
  /** All inbounds. */
  inbounds: ReadRow[];
  /** Only clients that differ. */
  clients: ReadRow[];
  differingClients: number;
  totalClients: number;
  /** Tags here by id, for fields specific to one inbound. */
  tags: ReadonlyMap<number, string>;
}

interface There {
  name: string;
  has: Record<string, Facts[string]>;
  on: number[];
}

/** Compares the node's state with what is wanted there and what was last applied. Writes nothing. */
export async function compareNode(
  store: Pick<Store, 'reader' | 'heavyReader'>,
  reported: Reported,
  canAdopt: (protocol: string) => boolean,
): Promise<Reading> {
  const nodeId = reported.row.id;
  const held = await heldInbounds(store.reader, nodeId);
  const kept = await keptOn(store.reader, nodeId, true);
  const listed = new Set(reported.snapshot.inbounds.map(({ tag }) => tag));
  const inbounds: ReadRow[] = [];
  const there = new Map<string, There>();
  const seen = new Set<number>();
  for (const inbound of reported.snapshot.inbounds as ReportedInbound[]) {
    const known = findHeld(held, inbound, { tags: listed, nodeId });
    if (known === null) {
      const { protocol } = inbound.reported;
      const comesBack = inbound.originNodeGuid !== '' && reported.elsewhere.has(inbound.originNodeGuid);
      if (!comesBack && typeof protocol === 'string' && canAdopt(protocol)) inbounds.push(ownRow(inbound, kept));
      continue;
    }
    if (known.isGone) continue;
    seen.add(known.inboundId);
    inbounds.push(await comparedRow(store, { nodeId, kept }, inbound, known));
    const { entries, clients } = entriesReported(reported, inbound);
    for (const [place, { email: name, emailKey }] of clients.entries()) {
      const at = there.get(emailKey) ?? { name, has: {}, on: [] };
      Object.assign(at.has, entryFacts(entries[place]!, known.inboundId));
      at.on.push(known.inboundId);
      there.set(emailKey, at);
    }
  }
  for (const lost of held.filter(({ isGone, inboundId }) => !isGone && !seen.has(inboundId)))
    inbounds.push(missingRow(lost, nodeId, kept));
  const tags = new Map(held.map(({ inboundId, tag }) => [inboundId, tag]));
  return {
    readAtMs: reported.readAtMs,
    inbounds,
    tags,
    ...(await compareClients(store, nodeId, { there, seen, kept })),
  };
}

const NOTHING = { want: {}, applied: null, has: {}, differ: [], seenOn: [] };

function ownRow({ tag, reported }: ReportedInbound, kept: Kept): ReadRow {
  const has = inboundFacts(reported, ['remark', 'protocol', 'listen', 'port', 'enable']);
  const isLeft = kept.inbounds.has(tag);
  const row = { kind: 'inbound', key: tag, name: tag, id: 0, state: 'onlyThere', isLeft, isWaiting: false } as const;
  return { ...NOTHING, ...row, has, differ: Object.keys(has) };
}

function missingRow({ inboundId, remoteTag, tag, changedAtMs }: HeldInbound, nodeId: number, kept: Kept): ReadRow {
  const key = remoteTag || remoteTagOf(tag, nodeId);
  const isLeft = kept.inbounds.has(key);
  const isWaiting = changedAtMs > 0;
  return { ...NOTHING, kind: 'inbound', key, name: tag, id: inboundId, state: 'missing', isLeft, isWaiting };
}

async function comparedRow(
  store: Pick<Store, 'reader'>,
  { nodeId, kept }: { nodeId: number; kept: Kept },
  inbound: ReportedInbound,
  { inboundId, changedAtMs, tag }: HeldInbound,
): Promise<ReadRow> {
  const sides = await inboundSides(store.reader, nodeId, inboundId, inbound);
  const want = sides === null ? {} : inboundFacts(sides.sent, MEMBERS);
  const has = sides === null ? {} : inboundFacts(sides.reported, MEMBERS);
  const differ = differingEither(want, has);
  return {
    kind: 'inbound',
    key: inbound.tag,
    name: tag,
    id: inboundId,
    state: differ.length === 0 ? 'same' : 'differs',
    isLeft: differ.length > 0 && kept.inbounds.has(inbound.tag),
    isWaiting: changedAtMs > 0,
    want,
    applied: await inboundApplied(store.reader, nodeId, inboundId),
    has,
    differ,
    seenOn: [inboundId],
  };
}

async function compareClients(
  store: Pick<Store, 'heavyReader'>,
  nodeId: number,
  { there, seen, kept }: { there: Map<string, There>; seen: ReadonlySet<number>; kept: Kept },
) {
  const clients: ReadRow[] = [];
  let differingClients = 0;
  let totalClients = 0;
  const add = (row: ReadRow): void => {
    differingClients += 1;
    if (clients.length < MAX_CLIENTS) clients.push(row);
  };
  for await (const page of clientStatesOf(store.heavyReader, nodeId))
    for (const client of page) {
      const key = client.emailKey || foldText(client.email);
      const at = there.get(key);
      there.delete(key);
      const row = comparedClient(client, at, seen, kept.clients.has(key));
      totalClients += 1;
      if (row !== null && row.state !== 'same') add(row);
    }
  for (const [key, { name, has, on }] of there) {
    // No client of any panel can have this name.
    if (key.length > MAX_NAME_CHARACTERS) continue;
    const isLeft = kept.clients.has(key);
    const row = { kind: 'client', key, name, id: 0, state: 'onlyThere', isLeft, isWaiting: false } as const;
    const shown = { ...has, inbounds: inboundList(on) };
    totalClients += 1;
    add({ ...NOTHING, ...row, has: shown, differ: ['inbounds', 'enable', 'totalGB', 'expiryTime'], seenOn: on });
  }
  return { clients, differingClients, totalClients };
}

/** Compares one client. Null when it is leaving, or when the node lacks its inbounds: those rows show it. */
function comparedClient(
  { clientId, email, emailKey, isWaiting, want: state, applied }: NodeClientState,
  at: There | undefined,
  seen: ReadonlySet<number>,
  isLeft: boolean,
): ReadRow | null {
  const on = state.links.map(({ inboundId }) => inboundId).filter((id) => seen.has(id));
  const row = {
    kind: 'client',
    key: emailKey || foldText(email),
    name: email,
    id: clientId,
    isLeft,
    isWaiting,
  } as const;
  if (on.length === 0) return null;
  const want = { ...clientFacts(state), inbounds: inboundList(on) };
  const base = applied === null ? null : clientFacts(applied);
  if (at === undefined) return { ...NOTHING, ...row, state: 'missing', want, applied: base, seenOn: on };
  const has = { ...at.has, inbounds: inboundList(at.on) };
  const differ = differing(want, has);
  const seenOn = [...new Set([...on, ...at.on])];
  return { ...row, state: differ.length === 0 ? 'same' : 'differs', want, applied: base, has, differ, seenOn };
}

/** Whether an item is missing on one side, or not the same on both. */
export const isDifferent = ({ state }: ReadRow): boolean => state !== 'same';
