import { DomainError } from '../../../contract/domain-error.ts';
import { ValidationError } from '../../../contract/envelope.ts';
import { hostilePart } from '../../../contract/hostile-json.ts';
import { hostileIssue } from '../field-texts.ts';
import { parseJsonObject } from '../../../contract/json-text.ts';
import { toValidationIssues } from '../../../contract/validation.ts';
import { supportsClients } from '../../../core/config/inbound/inbound-rules.ts';
import type { Change } from '../../../runtime/runtime.ts';
import { announce } from '../../../contract/announce.ts';
import { effectiveNodeId, emailsOf, placeOf, readCandidate, shapeColumns, type Candidate } from './candidate.ts';
import { usersToRefresh } from './change.ts';
import type { ImportedStats } from '../client-port.ts';
import { ImportedInbound, type NewInboundBody, type SavedInbound } from '../contract.ts';
import type { InboundServiceDeps } from '../dependencies.ts';
import { requireRunnable } from '../ports/machine-check.ts';
import { requireFreeAmongInbounds, requireNotReserved } from '../ports/place-check.ts';
import { isServedHere, requireServer } from '../ports/served-here.ts';
import { insertInbound, isTagTaken, type Database } from '../repository.ts';
import { pickTag, tagsOfTemplate } from '../ports/tags.ts';
import type { SaveTools } from './save-tools.ts';

interface Creation {
  body: NewInboundBody;
  candidate: Candidate;
  nodeId: number | null;
  serverId: string | null;
  mode: 'add' | 'import';
  clientStats: readonly ImportedStats[];
}

/** Creates inbounds, entered manually or from an export. */
export function createAdd(deps: InboundServiceDeps, { reads, inTurn, warningsOf }: SaveTools) {
  const { store, runtime, clients, traffic, hosts, nodes, clock, publish } = deps;

  async function create(creation: Creation, requestId: string): Promise<SavedInbound> {
    const { body, candidate, nodeId } = creation;
    const place = placeOf(candidate, creation);
    const ofTemplate = await tagsOfTemplate(deps.templates);
    const chooseTag = (db: Database) =>
      pickTag(body.tag, place, async (tag) => ofTemplate.has(tag) || isTagTaken(db, tag, 0));
    // Checked here only so that "taken by inbound X" is not reported as "taken by another program".
    await requireFreeAmongInbounds(store.reader, place, 0);
    await requireNotReserved(deps, place);
    let coreWarnings: readonly string[] = [];
    if ((body.enable ?? true) && isServedHere(deps, place)) {
      const tag = await chooseTag(store.reader);
      coreWarnings = await requireRunnable(deps, { id: 0, tag, shape: candidate, fallbacks: [], heldTransports: [] });
    }

    await traffic.settleSubjects(emailsOf(candidate));
    const { id, change } = await store.write(async (trx) => {
      await requireFreeAmongInbounds(trx, place, 0);
      const tag = await chooseTag(trx);
      const newId = await insertInbound(trx, { ...rowOf(creation, clock()), tag });
      const emails = await attach(trx, newId, creation);
      const proxies = candidate.streamSettings?.['externalProxy'];
      if (Array.isArray(proxies) && proxies.length > 0) await hosts.importExternalProxies(trx, newId, proxies, clock());
      if (nodeId !== null) await nodes.allowTag(trx, nodeId, tag);
      const shared = await usersToRefresh(trx, newId, emails);
      const what: Change = { inboundIds: [newId], users: shared.filter(({ inboundId }) => inboundId !== newId) };
      await runtime.stage(trx, what);
      return { id: newId, change: what };
    });
    clients.noteCommitted();
    const { nodePending } = await runtime.apply(change);
    announce(publish, ['inbounds', 'clients'], requestId);
    const certificateWarnings = await warningsOf(candidate, creation);
    const saved = { ...(await reads.get(id)), coreWarnings: [...coreWarnings], certificateWarnings };
    return nodePending ? { ...saved, nodePending } : saved;
  }

  async function attach(
    trx: Parameters<InboundServiceDeps['clients']['attachEntries']>[0],
    id: number,
    { candidate, mode, clientStats }: Creation,
  ): Promise<string[]> {
    const { protocol, settings, streamSettings, entries } = candidate;
    if (entries === null || !supportsClients(protocol)) return [];
    const options = { mode, nowMs: clock(), clientStats };
    return (await clients.attachEntries(trx, { id, protocol, settings, streamSettings }, entries, options)).emails;
  }

  return {
    /**
     * @throws {ValidationError} with every issue of the configuration.
     * @throws {DomainError} settings empty, node or server unknown, place taken, refused by the core, or a client's refusal.
     */
    async add(body: NewInboundBody, requestId: string): Promise<SavedInbound> {
      const candidate = readCandidate(body);
      const nodeId = effectiveNodeId(candidate.protocol, body.nodeId);
      if (nodeId !== null && !(await nodes.addresses()).has(nodeId))
        throw new DomainError('inbound.nodeUnknown', { id: nodeId });
      const { serverId = null } = body;
      await requireServer(deps, serverId, { nodeId });
      return inTurn(() => create({ body, candidate, nodeId, serverId, mode: 'add', clientStats: [] }, requestId));
    },

    /**
     * Like {@link add}, from the text of an export. A node or server unknown here is dropped: the inbound becomes
     * local.
     * @throws {DomainError} `inbound.importUnreadable`, and as {@link add}.
     */
    async import(text: string, requestId: string): Promise<SavedInbound> {
      const sent = parseJsonObject(text);
      if (sent === null) throw new DomainError('inbound.importUnreadable');
      const complaint = hostilePart(sent);
      if (complaint !== null) throw new ValidationError([hostileIssue('data', `data: ${complaint}`)]);
      const parsed = ImportedInbound.safeParse(sent, { reportInput: true });
      if (!parsed.success) throw new ValidationError(toValidationIssues(parsed.error));
      const body = parsed.data;
      const candidate = readCandidate(body);
      const wanted = effectiveNodeId(candidate.protocol, body.nodeId);
      const nodeId = wanted !== null && (await nodes.addresses()).has(wanted) ? wanted : null;
      const { serverId: requestedServerId = null, clientStats } = body;
      const isServer = requestedServerId !== null && nodeId === null && deps.place.serverId !== null;
      const serverId = isServer && (await deps.isServerKnown(requestedServerId)) ? requestedServerId : null;
      const creation: Creation = { body, candidate, nodeId, serverId, mode: 'import', clientStats };
      return inTurn(() => create(creation, requestId));
    },
  };
}

function rowOf({ body, candidate, nodeId, serverId }: Creation, nowMs: number) {
  const isEnabled = body.enable ?? true;
  return {
    ...shapeColumns(candidate),
    remark: body.remark,
    enable: isEnabled ? (1 as const) : (0 as const),
    disabledBy: isEnabled ? ('' as const) : ('admin' as const),
    expiresAtMs: body.expiryTime,
    quotaBytes: body.total,
    upBytes: body.up,
    downBytes: body.down,
    trafficReset: body.trafficReset,
    lastTrafficResetAtMs: 0,
    nodeId,
    serverId,
    originNodeGuid: '',
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  };
}
