import { DomainError } from '../../../contract/domain-error.ts';
import { ValidationError } from '../../../contract/envelope.ts';
import { adoptInbound } from '../adoption/adopt-inbound.ts';
import type { KnownNode } from '../registry.ts';
import * as nodes from '../repository.ts';
import { tagsOf } from '../present.ts';
import { followEntries } from '../sync/follow/follow-entries.ts';
import { followInbound } from '../sync/follow/follow-inbound.ts';
import { offTheNode } from '../sync/push/push-clients.ts';
import { heldInbounds } from '../sync/push/repository-push.ts';
import type { Reported, ReportedInbound, TakeOverDeps } from '../sync/reported.ts';
import type { DriftKind, DriftVerb } from './contract.ts';
import { setOf } from './kinds.ts';
import type { ReadRow } from './reading.ts';
import { forgetKept, leaveAlone, markToSend, withdraw } from './repository-drift.ts';

/** Result of a decision. */
export interface Settled {
  settled: number;
  skipped: { name: string; text: string; refusal: { code: string; params: Record<string, string | number> } }[];
}

interface Work {
  verb: DriftVerb;
  rows: readonly ReadRow[];
  /** Reads the node again, so that its current state is taken over. */
  lookAt: () => Promise<{ reported: Reported }>;
}

/**
 * Carries out a decision. Rows that fail are named; the rest is done. @throws {DomainError} the node does not answer
 */
export async function settle(deps: TakeOverDeps, node: KnownNode, work: Work): Promise<Settled> {
  const skipped: Settled['skipped'] = [];
  const skip = ({ name }: Pick<ReadRow, 'name'>, error: DomainError): void => {
    const { code, params } = error;
    skipped.push({ name, text: deps.textOf(error), refusal: { code, params: { ...params } } });
  };
  const verbs = { adopt, send, leave } satisfies Record<DriftVerb, unknown>;
  await verbs[work.verb](deps, node, { ...work, skip });
  return { settled: work.rows.length - skipped.length, skipped };
}

type Task = Work & { skip: (row: Pick<ReadRow, 'name'>, error: DomainError) => void };

const ids = (rows: readonly ReadRow[], kind: DriftKind): number[] =>
  rows.filter((row) => row.kind === kind && row.id !== 0).map(({ id }) => id);

async function forget(
  { store, clock }: TakeOverDeps,
  nodeId: number,
  rows: readonly Pick<ReadRow, 'kind' | 'key'>[],
): Promise<void> {
  const names = setOf(rows);
  await store.write(async (trx) => {
    for (const kind of ['inbound', 'client'] as const) await forgetKept(trx, nodeId, kind, [...names[kind]], clock());
  });
}

async function leave({ store }: TakeOverDeps, { row }: KnownNode, { rows }: Task): Promise<void> {
  const items = rows.map(({ kind, key, seenOn }) => ({
    kind,
    name: key,
    inboundId: kind === 'inbound' ? 0 : (seenOn[0] ?? 0),
  }));
  await store.write((trx) => leaveAlone(trx, row.id, items));
}

/** Sends this panel's state: clients that exist only on the node are removed, missing items are added. */
async function send(deps: TakeOverDeps, node: KnownNode, { rows, lookAt, skip }: Task): Promise<void> {
  const { store, clock } = deps;
  const nodeId = node.row.id;
  const able = rows.filter(({ kind, state }) => kind === 'client' || state !== 'onlyThere');
  // Not ours to delete: it belongs to the node.
  for (const row of rows) if (!able.includes(row)) skip(row, new DomainError('node.driftNotOurs', { tag: row.name }));
  const extra = able.filter(({ kind, state }) => kind === 'client' && state === 'onlyThere');
  if (extra.length > 0) {
    const { reported } = await lookAt();
    const held = await heldInbounds(store.reader, nodeId);
    const ours = new Set(held.map(({ remoteId }) => remoteId).filter((id) => id !== 0));
    const takeOff = offTheNode({ client: node.client(), snapshot: reported.snapshot }, ours);
    await takeOff(extra.map(({ name }) => name));
  }
  const lost = able.filter(({ kind, state }) => kind === 'inbound' && state === 'missing');
  const inbounds = able.filter(({ state }) => state === 'differs');
  await forget(deps, nodeId, able);
  await store.write((trx) =>
    markToSend(
      trx,
      nodeId,
      { inbounds: ids(inbounds, 'inbound'), lost: ids(lost, 'inbound'), clients: ids(able, 'client') },
      clock(),
    ),
  );
}

/** Takes over the node's state, even if a change made here is pending. Absence never deletes a client here. */
async function adopt(deps: TakeOverDeps, node: KnownNode, { rows, lookAt, skip }: Task): Promise<void> {
  const { store } = deps;
  const nodeId = node.row.id;
  const able = rows.filter(({ state }) => state !== 'missing');
  for (const row of rows)
    if (row.state === 'missing') skip(row, new DomainError('node.driftMissing', { name: row.name }));
  await store.write((trx) => withdraw(trx, nodeId, { inbounds: ids(able, 'inbound'), clients: ids(able, 'client') }));
  await forget(deps, nodeId, able);
  const { reported } = await lookAt();
  const reportedByTag = new Map(
    (reported.snapshot.inbounds as ReportedInbound[]).map((inbound) => [inbound.tag, inbound]),
  );
  for (const row of able.filter(({ kind }) => kind === 'inbound'))
    await attempt(row, skip, async () => {
      const inbound = reportedByTag.get(row.key);
      if (inbound === undefined) throw new DomainError('node.driftMissing', { name: row.name });
      if (row.id === 0) await takeIn(deps, node, reported, inbound);
      else await followInbound(deps, reported, inbound, { inboundId: row.id, tags: [], isRequested: true });
    });
  await adoptClients(deps, reported, { rows: able.filter(({ kind }) => kind === 'client'), skip, reportedByTag });
}

/** Adopts an inbound that belongs to the node, and adds it to the selection. */
async function takeIn(
  deps: TakeOverDeps,
  node: KnownNode,
  reported: Reported,
  inbound: ReportedInbound,
): Promise<void> {
  const { row } = node;
  if (row.inboundSyncMode === 'selected') {
    const tags = [...new Set([...tagsOf(row), inbound.tag])];
    await deps.store.write((trx) => nodes.updateNode(trx, row.id, { inboundTags: JSON.stringify(tags) }));
    node.row = { ...row, inboundTags: JSON.stringify(tags) };
  }
  await adoptInbound(deps, { ...reported, row: node.row }, inbound);
}

async function adoptClients(
  deps: TakeOverDeps,
  reported: Reported,
  { rows, skip, reportedByTag }: Pick<Task, 'rows' | 'skip'> & { reportedByTag: ReadonlyMap<string, ReportedInbound> },
): Promise<void> {
  const held = await heldInbounds(deps.store.reader, reported.row.id);
  const refused = new Set<ReadRow>();
  for (const { inboundId, remoteTag } of held) {
    const inbound = reportedByTag.get(remoteTag);
    const here = rows.filter((row) => row.seenOn.includes(inboundId) && !refused.has(row));
    if (inbound === undefined || here.length === 0) continue;
    const keys = new Set(here.map(({ key }) => key));
    await attempt(
      { name: inbound.tag },
      (_, error) => {
        for (const row of here) {
          refused.add(row);
          skip(row, error);
        }
      },
      async () => void (await followEntries(deps, reported, inbound, inboundId, keys)),
    );
  }
}

/** A refusal affects only its own row. */
async function attempt(row: Pick<ReadRow, 'name'>, skip: Task['skip'], work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof ValidationError) {
      const { message: reason } = error;
      skip(row, new DomainError('node.notAdopted', { tag: row.name, reason }));
    } else if (error instanceof DomainError) skip(row, error);
    else throw error;
  }
}
