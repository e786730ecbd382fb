import { DomainError } from '../../contract/domain-error.ts';
import type { Publish } from '../../contract/events.ts';
import type { Logger } from '../../contract/logger.ts';
import type { Schedule } from '../../contract/schedule.ts';
import type { GuardedDialer } from '../../net/guarded-dialer.ts';
import type { RemoteNodes } from '../../runtime/remote-runtime.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Store } from '../../store/open-store.ts';
import type { Secrets } from '../../store/secrets/secrets.ts';
import type { InboundClientPort } from '../inbounds/client-port.ts';
import type { InboundNodePort } from '../inbounds/node-port.ts';
import { createOnlineTrees, type OnlineTrees } from './online.ts';
import { createRegistry, tokenSeal } from './registry.ts';
import * as rows from './repository.ts';
import { tlsTrust } from './tls-trust.ts';
import { createVisits } from './visits.ts';

const VISIT_MS = 5_000;

export interface NodeServiceDeps {
  store: Store;
  secrets: Pick<Secrets, 'seal' | 'open'>;
  dialer: GuardedDialer;
  /** GUID of this panel. */
  panelGuid: string;
  /** Where changes that come from a node go on to; asked for late, because the runtime asks for the nodes. */
  runtime: () => Pick<Runtime, 'stage' | 'apply'>;
  /** `settings.clients` of inbounds. */
  clients: () => Pick<InboundClientPort, 'composeEntries'>;
  enforce: () => Promise<void>;
  textOf: (error: DomainError) => string;
  publish: Publish;
  clock: () => number;
  /** Ms that only ever grow. */
  monotonic?: () => number;
  schedule: Schedule;
  log: Logger;
}

/** How a node is reached, as an operator says it; what is left out takes its default. */
export interface NodeDetails {
  name: string;
  remark?: string;
  scheme: 'http' | 'https';
  address: string;
  port: number;
  basePath?: string;
  /** In clear. */
  apiToken: string;
  enable?: boolean;
  allowPrivateAddress?: boolean;
  tlsVerifyMode?: rows.NodeRow['tlsVerifyMode'];
  pinnedCertSha256?: string;
}

export interface NodeService {
  /** Saves a node; whether it can be reached shows at the first visit. @returns its id @throws {DomainError} `node.*` */
  add(details: NodeDetails): Promise<number>;
  /** Switched off, nothing is asked of it and nothing sent; what changes meanwhile waits. @throws {DomainError} `node.notFound` */
  setEnable(id: number, enable: boolean): Promise<void>;
  /** @throws {DomainError} `node.notFound`, `node.attached` while inbounds are on it */
  remove(id: number): Promise<void>;
  /** Probes, counts and delivers, for every node at once. */
  visitAll(): Promise<void>;
  /** Resolves when no delivery is under way. */
  idle(): Promise<void>;
  /** For the seam. */
  readonly remote: RemoteNodes;
  /** For the domain of inbounds. */
  readonly inboundNodes: InboundNodePort;
  /** Who is online on nodes. */
  readonly online: Pick<OnlineTrees, 'emails' | 'byGuid'>;
  /** Host name or address of a node, for links; empty for an unknown one. */
  addressOf(id: number): string;
  /** Begins the visits, every 5 s. */
  start(): void;
  /** Ends what is under way: a call that is cut off is repeated after the next start. */
  close(): Promise<void>;
}

/** Panels that this one manages: it sends them their inbounds and clients, and counts what those use there. */
export async function createNodeService(deps: NodeServiceDeps): Promise<NodeService> {
  const { store, secrets, clock, publish } = deps;
  const closing = new AbortController();
  const registry = createRegistry({ ...deps, signal: closing.signal });
  for (const row of await rows.allNodes(store.reader)) registry.put(row);
  const online = createOnlineTrees();
  const visits = createVisits({
    ...deps,
    registry,
    online,
    ownGuid: deps.panelGuid,
    monotonic: deps.monotonic ?? (() => performance.now()),
    stage: (trx, change) => deps.runtime().stage(trx, change),
    apply: (change) => deps.runtime().apply(change),
    entriesOf: async (inboundId) => (await deps.clients().composeEntries([inboundId])).get(inboundId) ?? [],
  });
  let timer: { cancel(): void } | null = null;

  function requireKnown(id: number) {
    const node = registry.get(id);
    if (node === undefined) throw new DomainError('node.notFound');
    return node;
  }

  async function reload(id: number): Promise<void> {
    const row = await rows.findNode(store.reader, id);
    if (row !== null) registry.put(row);
    publish({ type: 'invalidate', resource: 'nodes' });
  }

  return {
    async add({ apiToken, enable = true, allowPrivateAddress = false, ...details }) {
      const { tlsVerifyMode = 'verify', pinnedCertSha256 = '', scheme } = details;
      // Refused now rather than at every visit.
      tlsTrust({ scheme, tlsVerifyMode, pinnedCertSha256 });
      if (apiToken.trim() === '') throw new DomainError('node.tokenRequired');
      const id = await store.write(async (trx) => {
        if (await rows.isNameTaken(trx, details.name)) throw new DomainError('node.nameTaken');
        const newId = await rows.insertNode(trx, {
          name: details.name,
          remark: details.remark ?? '',
          scheme,
          address: details.address,
          port: details.port,
          basePath: details.basePath ?? '/',
          apiToken: '',
          enable: enable ? 1 : 0,
          allowPrivateAddress: allowPrivateAddress ? 1 : 0,
          tlsVerifyMode,
          pinnedCertSha256,
          inboundSyncMode: 'all',
          inboundTags: '[]',
          outboundTag: '',
          createdAtMs: clock(),
          updatedAtMs: clock(),
        });
        // Sealed for its id, which is known only now.
        await rows.updateNode(trx, newId, { apiToken: secrets.seal(tokenSeal(newId), apiToken.trim()) });
        return newId;
      });
      await reload(id);
      return id;
    },

    async setEnable(id, enable) {
      requireKnown(id);
      await store.write((trx) => rows.updateNode(trx, id, { enable: enable ? 1 : 0, updatedAtMs: clock() }));
      if (!enable) online.clear(id);
      await reload(id);
    },

    async remove(id) {
      requireKnown(id);
      await store.write(async (trx) => {
        const count = await rows.countInbounds(trx, id);
        if (count > 0) throw new DomainError('node.attached', { count });
        await rows.deleteNode(trx, id);
      });
      registry.drop(id);
      visits.forget(id);
      publish({ type: 'invalidate', resource: 'nodes' });
    },

    visitAll: () => visits.visitAll(),
    idle: () => visits.idle(),

    remote: {
      hasNodes: () => registry.hasAny(),
      isWaiting(nodeId) {
        const row = registry.get(nodeId)?.row;
        return row === undefined || row.enable === 0 || row.status !== 'online';
      },
      deliver: (nodeId) => visits.deliver(nodeId),
    },

    inboundNodes: {
      addresses: async () => new Map(registry.all().map(({ row }) => [row.id, row.address])),
      async allowTag(trx, nodeId, tag) {
        const row = await rows.findNode(trx, nodeId);
        if (row?.inboundSyncMode !== 'selected') return;
        const tags = new Set([...(JSON.parse(row.inboundTags) as string[]), tag]);
        await rows.updateNode(trx, nodeId, { inboundTags: JSON.stringify([...tags]) });
      },
    },
    online,
    addressOf: (id) => registry.get(id)?.row.address ?? '',

    start() {
      timer ??= deps.schedule.every(VISIT_MS, () => (registry.hasAny() ? visits.visitAll() : undefined));
    },
    async close() {
      timer?.cancel();
      closing.abort();
      await visits.idle();
    },
  };
}
