import type { JsonObject } from '../../contract/json.ts';
import { supportsClients } from '../../core/config/inbound/inbound-rules.ts';
import type { Change } from '../../runtime/runtime.ts';
import type { WriteTransaction } from '../../store/open-store.ts';
import { announce } from '../../contract/announce.ts';
import { effectiveNodeId, emailsOf, shapeOfRow } from './verbs/candidate.ts';
import { isEmptyChange, usersToRefresh } from './verbs/change.ts';
import type { ImportedStats } from './client-port.ts';
import type { InboundServiceDeps } from './dependencies.ts';
import { readReport, reportedColumns } from './report.ts';
import { findInbound, insertInbound, isTagTaken, updateInbound } from './repository.ts';
import type { Line } from '../../concurrency.ts';

/** Where an adopted inbound runs, and its possible tags here, the best one first. */
export interface AdoptedFrom {
  nodeId: number;
  originNodeGuid: string;
  tags: readonly string[];
  /** Its hosts, as reported by the node. */
  hosts: readonly unknown[];
}

/** Writes entries of the inbound's clients; returns their other inbounds. */
type WriteEntries = (
  entries: readonly JsonObject[],
  clientStats: readonly ImportedStats[],
) => Promise<NonNullable<Change['users']>>;

/**
 * Inbounds that belong to nodes, and changes made on nodes: written here as they are there, so nothing is sent back.
 * Reports have the format of `/inbounds/list`. Implemented for the domain of nodes.
 */
export function createAdoption(deps: InboundServiceDeps, inTurn: Line) {
  const { store, runtime, clients, traffic, hosts, clock, publish } = deps;

  async function finish(change: Change): Promise<void> {
    clients.noteCommitted();
    if (!isEmptyChange(change)) await runtime.apply(change);
    announce(publish, ['inbounds', 'clients'], '');
  }

  async function firstFree(trx: WriteTransaction, tags: readonly string[], exceptId: number): Promise<string | null> {
    for (const tag of tags) if (!(await isTagTaken(trx, tag, exceptId))) return tag;
    return null;
  }

  return {
    /** Whether an inbound of this protocol can be managed on a node. */
    canAdopt: (protocol: string): boolean => supportsClients(protocol) && effectiveNodeId(protocol, 1) !== null,

    /**
     * Adopts an inbound with its clients: clients that are new here start with their counters from the node.
     * @param within the write transaction; `insert` creates the inbound with these clients. @returns further changes to
     *   deliver
     * @returns its id; null when every tag is taken
     * @throws {ValidationError} the report is no valid inbound. @throws {DomainError} a client's refusal; nothing is
     *   written
     */
    async adopt(
      reported: JsonObject,
      { nodeId, originNodeGuid, tags, hosts: reportedHosts }: AdoptedFrom,
      within: (trx: WriteTransaction, insert: (entries: readonly JsonObject[]) => Promise<number>) => Promise<Change>,
    ): Promise<number | null> {
      const report = readReport(reported);
      const { body, candidate } = report;
      await traffic.settleSubjects(emailsOf(candidate));
      return inTurn(async () => {
        const adopted = await store.write(async (trx) => {
          const nowMs = clock();
          const tag = await firstFree(trx, tags, 0);
          if (tag === null) return null;
          const counted = { upBytes: body.up, downBytes: body.down };
          let newId = 0;
          const change = await within(trx, async (entries) => {
            newId = await insertInbound(trx, {
              ...reportedColumns(report, counted, nowMs),
              ...counted,
              tag,
              lastTrafficResetAtMs: 0,
              nodeId,
              originNodeGuid,
              createdAtMs: nowMs,
              updatedAtMs: nowMs,
            });
            const { protocol, settings, streamSettings } = candidate;
            const host = { id: newId, protocol, settings, streamSettings };
            const options = { mode: 'import', nowMs, clientStats: body.clientStats, keepsCredentials: true } as const;
            await clients.attachEntries(trx, host, entries, options);
            const proxies = streamSettings?.['externalProxy'];
            // Where the node has turned them into hosts, those are more recent.
            if (reportedHosts.length > 0) await hosts.importHosts(trx, newId, reportedHosts, nowMs);
            else if (Array.isArray(proxies)) await hosts.importExternalProxies(trx, newId, proxies, nowMs);
            return newId;
          });
          if (!isEmptyChange(change)) await runtime.stage(trx, change);
          return { id: newId, change };
        });
        if (adopted === null) return null;
        await finish(adopted.change);
        return adopted.id;
      });
    },

    /**
     * Gives an inbound the values it has on its node; clients stay unchanged.
     * @param isCurrent whether nothing was changed here meanwhile, checked in the write transaction
     * @param tags its possible new tags here, the best one first; empty = unchanged
     * @throws {ValidationError} the report is no valid inbound
     */
    async follow(
      id: number,
      reported: JsonObject,
      { isCurrent, tags }: { isCurrent: (trx: WriteTransaction) => Promise<boolean>; tags: readonly string[] },
    ): Promise<void> {
      const report = readReport(reported);
      await inTurn(async () => {
        const isWritten = await store.write(async (trx) => {
          const row = await findInbound(trx, id);
          if (row === null || !(await isCurrent(trx))) return false;
          const tag = (await firstFree(trx, tags, id)) ?? row.tag;
          const nowMs = clock();
          await updateInbound(trx, id, { ...reportedColumns(report, row, nowMs), tag, updatedAtMs: nowMs });
          return true;
        });
        if (isWritten) announce(publish, ['inbounds', 'clients'], '');
      });
    },

    /**
     * Writes entries of clients that were added or changed on the node.
     * @param within the write transaction; chooses the entries. @returns changes to deliver
     * @throws {ValidationError | DomainError} as for entries sent by callers; nothing is written
     */
    async mergeEntries(
      id: number,
      within: (trx: WriteTransaction, write: WriteEntries) => Promise<Change>,
    ): Promise<void> {
      await inTurn(async () => {
        const change = await store.write(async (trx): Promise<Change> => {
          const row = await findInbound(trx, id);
          if (row === null) return {};
          const host = { id, ...shapeOfRow(row) };
          const changed = await within(trx, async (entries, clientStats) => {
            const options = { mode: 'merge', nowMs: clock(), clientStats, keepsCredentials: true } as const;
            const { emails } = await clients.attachEntries(trx, host, entries, options);
            return usersToRefresh(trx, id, emails);
          });
          if (!isEmptyChange(changed)) await runtime.stage(trx, changed);
          return changed;
        });
        await finish(change);
      });
    },
  };
}
export type InboundAdoption = ReturnType<typeof createAdoption>;
