import { DomainError } from '../../../contract/domain-error.ts';
import { canHostFallbacks, isFlowCapable, supportsClients } from '../../../core/config/inbound/inbound-rules.ts';
import { renameInboundTag } from '../../../core/config/template/template-rules.ts';
import type { Change } from '../../../runtime/runtime.ts';
import type { WriteTransaction } from '../../../store/open-store.ts';
import { announce } from '../../../contract/announce.ts';
import {
  effectiveNodeId,
  emailsOf,
  placeOf,
  readCandidate,
  shapeColumns,
  shapeOfRow,
  type Candidate,
} from './candidate.ts';
import { isEmptyChange, usersToRefresh } from './change.ts';
import type { InboundBody, SavedInbound } from '../contract.ts';
import type { InboundServiceDeps } from '../dependencies.ts';
import { fallbackSources, requireRunnable } from '../ports/machine-check.ts';
import { requireFreeAmongInbounds, requireNotReserved } from '../ports/place-check.ts';
import { isServedHere, requireServer } from '../ports/served-here.ts';
import { sharedTransports, type Listener } from '../ports/port-conflicts.ts';
import {
  findInbound,
  isTagTaken,
  mastersOfChild,
  updateInbound,
  type Database,
  type InboundRow,
} from '../repository.ts';
import { baseTag, isGeneratedTag, pickTag, tagsOfTemplate } from '../ports/tags.ts';
import type { SaveTools } from './save-tools.ts';

/** Replacing an inbound's configuration. */
export function createUpdate(deps: InboundServiceDeps, { reads, inTurn, warningsOf }: SaveTools) {
  const { store, runtime, clients, traffic, templates, nodes, clock, publish } = deps;

  async function replace(
    id: number,
    body: InboundBody,
    candidate: Candidate,
    requestId: string,
  ): Promise<SavedInbound> {
    const before = await requireRow(store.reader, id);
    const ofTemplate = await tagsOfTemplate(deps.templates);
    const coreWarnings = await requirePossible(before, body, candidate, ofTemplate);
    await traffic.settleSubjects(emailsOf(candidate));
    let isInSettings = false;
    const change = await store.write(async (trx) => {
      const row = await requireRow(trx, id);
      const where = whereOf(row, body, candidate);
      const place = placeOf(candidate, where);
      await requireFreeAmongInbounds(trx, place, id);
      // Makes the previous server stop running it.
      if (where.serverId !== row.serverId) await runtime.stage(trx, { inboundIds: [id] });
      const tag = await chooseTag(trx, row, place, body.tag, ofTemplate);
      if (where.nodeId !== null && tag !== row.tag) await nodes.allowTag(trx, where.nodeId, tag);
      const columns = { ...columnsOf(row, body, candidate), tag, updatedAtMs: clock() };
      await updateInbound(trx, id, columns);
      isInSettings = tag !== row.tag && (await deps.renameInSettings(trx, row.tag, tag));
      const emails = await writeClients(trx, row, candidate);
      const what = await concerned(trx, row, { ...row, ...columns }, emails);
      if (!isEmptyChange(what)) await runtime.stage(trx, what);
      return what;
    });
    clients.noteCommitted();
    const nodePending = !isEmptyChange(change) && (await runtime.apply(change)).nodePending;
    announce(publish, ['inbounds', 'clients'], requestId);
    if (isInSettings) announce(publish, ['settings'], '');
    const certificateWarnings = await warningsOf(candidate, whereOf(before, body, candidate));
    const saved = { ...(await reads.get(id)), coreWarnings: [...coreWarnings], certificateWarnings };
    return nodePending ? { ...saved, nodePending } : saved;
  }

  /** Checks that can refuse before the write transaction. @returns warnings of the core */
  async function requirePossible(
    row: InboundRow,
    body: InboundBody,
    candidate: Candidate,
    ofTemplate: ReadonlySet<string>,
  ): Promise<readonly string[]> {
    const where = whereOf(row, body, candidate);
    await requireServer(deps, where.serverId, { nodeId: where.nodeId, before: row.serverId });
    const stored = placeOf(shapeOfRow(row), row);
    const place = placeOf(candidate, where);
    await requireFreeAmongInbounds(store.reader, place, row.id);
    const isEnabled = body.enable ?? row.enable === 1;
    // A listener on another machine occupies nothing here.
    const held = isServedHere(deps, row) === isServedHere(deps, place) ? sharedTransports(stored, place) : [];
    const isTurnedOn = row.enable === 0 && isEnabled;
    if (isTurnedOn || held.length < place.transports.length) await requireNotReserved(deps, place);
    if (!isEnabled || !isServedHere(deps, place)) return [];
    const hostsFallbacks = canHostFallbacks(candidate.protocol, candidate.settings, candidate.streamSettings);
    return requireRunnable(deps, {
      id: row.id,
      tag: await chooseTag(store.reader, row, place, body.tag, ofTemplate),
      shape: candidate,
      fallbacks: hostsFallbacks ? await fallbackSources(store.reader, row.id) : [],
      heldTransports: row.enable === 1 ? held : [],
    });
  }

  /** @returns e-mails whose entry in the core may differ, apart from what the new configuration changes for all. */
  async function writeClients(trx: WriteTransaction, row: InboundRow, candidate: Candidate): Promise<string[]> {
    const { protocol, settings, streamSettings, entries } = candidate;
    const host = { id: row.id, protocol, settings, streamSettings };
    const stored = shapeOfRow(row);
    if (!supportsClients(protocol)) {
      if (supportsClients(row.protocol)) await clients.detachAll(trx, row.id);
      return [];
    }
    const emails = new Set<string>();
    const note = (more: readonly string[]) => more.forEach((email) => emails.add(email));
    if (entries !== null)
      note((await clients.attachEntries(trx, host, entries, { mode: 'replace', nowMs: clock() })).emails);
    if (protocol !== row.protocol || settings['method'] !== stored.settings['method'])
      note(await clients.regenerateForCipher(trx, host));
    const couldFlow = isFlowCapable(stored.protocol, stored.settings, stored.streamSettings);
    if (couldFlow !== isFlowCapable(protocol, settings, streamSettings)) note(await clients.adaptFlows(trx, host));
    return [...emails];
  }

  /** What has to reach the cores: nothing for a remark or a limit, only the users when the inbound itself stays. */
  async function concerned(
    trx: WriteTransaction,
    row: InboundRow,
    now: InboundRow,
    emails: readonly string[],
  ): Promise<Change> {
    const runsDifferently = RUNNING.some((column) => row[column] !== now[column]);
    const isMoved = row.listen !== now.listen || row.port !== now.port;
    const isRouted =
      row.tag !== now.tag && (await templates.rewrite(trx, (template) => renameInboundTag(template, row.tag, now.tag)));
    return {
      inboundIds: [
        ...(runsDifferently || now.nodeId !== null ? [row.id] : []),
        ...(isMoved ? (await mastersOfChild(trx, row.id)).filter((master) => master !== row.id) : []),
      ],
      users: await usersToRefresh(trx, row.id, emails),
      ...(isRouted ? { everything: true } : {}),
    };
  }

  return {
    /**
     * The node, counters and identity stay. Without `settings.clients` the clients stay too.
     * @throws {ValidationError} with every issue of the configuration.
     * @throws {DomainError} `inbound.notFound`, server unknown, place taken, refused by the core, or a client's refusal.
     */
    async update(id: number, body: InboundBody, requestId: string): Promise<SavedInbound> {
      await requireRow(store.reader, id);
      const candidate = readCandidate(body);
      return inTurn(() => replace(id, body, candidate, requestId));
    },
  };
}

/** Columns whose change affects the core. */
const RUNNING = [
  'enable',
  'tag',
  'listen',
  'port',
  'protocol',
  'settings',
  'streamSettings',
  'sniffing',
  'nodeId',
  'serverId',
] as const;

async function requireRow(db: Database, id: number): Promise<InboundRow> {
  const row = await findInbound(db, id);
  if (row === null) throw new DomainError('inbound.notFound');
  return row;
}

/** A generated tag follows the place; a custom one stays until another is sent. */
function chooseTag(
  db: Database,
  row: InboundRow,
  place: Listener,
  sent: string,
  ofTemplate: ReadonlySet<string>,
): Promise<string> {
  const oldBase = baseTag(placeOf(shapeOfRow(row), row));
  const isLeftAlone = sent === '' || sent === row.tag;
  const follows = isGeneratedTag(row.tag, oldBase) && oldBase !== baseTag(place);
  const wanted = isLeftAlone ? (follows ? '' : row.tag) : sent;
  return pickTag(wanted, place, async (tag) => (tag !== row.tag && ofTemplate.has(tag)) || isTagTaken(db, tag, row.id));
}

/** Where it runs from now on: its node stays, and so does its server if none is sent. */
function whereOf(row: InboundRow, body: InboundBody, candidate: Candidate) {
  const { serverId = row.serverId } = body;
  return { nodeId: effectiveNodeId(candidate.protocol, row.nodeId), serverId };
}

function columnsOf(row: InboundRow, body: InboundBody, candidate: Candidate) {
  const wasEnabled = row.enable === 1;
  const isEnabled = body.enable ?? wasEnabled;
  const { nodeId, serverId } = whereOf(row, body, candidate);
  return {
    ...shapeColumns(candidate),
    remark: body.remark,
    enable: isEnabled ? (1 as const) : (0 as const),
    disabledBy: isEnabled ? ('' as const) : wasEnabled ? ('admin' as const) : row.disabledBy,
    expiresAtMs: body.expiryTime,
    quotaBytes: body.total,
    trafficReset: body.trafficReset,
    nodeId,
    serverId,
    originNodeGuid: nodeId === null ? '' : row.originNodeGuid,
  };
}
