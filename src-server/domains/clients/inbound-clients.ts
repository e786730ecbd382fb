import { isFlowCapable } from '../../core/config/inbound/inbound-rules.ts';
import { foldText } from '../../store/fold-text.ts';
import type { Store, WriteTransaction } from '../../store/open-store.ts';
import type { ClientHost, ImportedStats, InboundClientPort } from '../inbounds/client-port.ts';
import type { JobService } from '../jobs/service.ts';
import type { RunChange } from './bulk/change-runner.ts';
import { chunked } from './bulk/chunked.ts';
import { composeEntries, entryPages, slimEntryPages, statsOf, statsPages } from './storage/compose-entries.ts';
import type { ClientInput } from './contract.ts';
import { readEntries } from './verbs/entry-input.ts';
import { loadAttachments } from './storage/load-clients.ts';
import { countOf, countOnlyAt, countsByInbound } from './list/inbound-counts.ts';
import { placeClients, type PlacingRules } from './verbs/placing.ts';
import { removeClients } from './verbs/remove.ts';
import {
  adaptFlows,
  detachEverybody,
  detachOthers,
  replaceAttached,
  type EntryDeps,
} from './storage/replace-entries.ts';
import { clientsByKeys, clientsOfInbound } from './storage/repository-read.ts';
import { setLastOnline } from './storage/repository-write.ts';
import { saveClients } from './storage/save-clients.ts';
import type { ClientTrafficPort } from './traffic-port.ts';
import { UserChanges } from './storage/user-changes.ts';
import { runBulk, type Watch } from './list/watch.ts';
import { complete } from './verbs/working-client.ts';

export interface InboundClientDeps {
  store: Store;
  run: RunChange;
  traffic: ClientTrafficPort;
  jobs: Pick<JobService, 'start'>;
  clock: () => number;
  onChanged: () => void;
}

/** `settings.clients` of inbounds, based on the rows of this domain. */
export function createInboundClients(deps: InboundClientDeps): InboundClientPort {
  const { store, run, traffic, jobs, clock, onChanged } = deps;
  async function placeAll(
    trx: WriteTransaction,
    inbound: ClientHost,
    inputs: readonly ClientInput[],
    keepsCredentials: boolean,
    { nowMs }: EntryDeps,
  ): Promise<{ changes: UserChanges; createdKeys: string[] }> {
    const rules: PlacingRules = {
      attachesExisting: true,
      allowsUnattached: false,
      emailTakenCode: 'client.duplicateEmail',
      inbound,
      keepsCredentials,
    };
    const placements = inputs.map((input) => ({ input, inboundIds: [inbound.id] }));
    const placed = await placeClients(trx, placements, rules, { traffic, nowMs });
    const error = placed.errors.find((each) => each !== null);
    if (error !== undefined && error !== null) throw error;
    return placed;
  }

  async function deleteAll(inboundId: number, watch: Watch): Promise<{ deleted: number }> {
    const { result } = await run('', async (trx) => {
      const changes = new UserChanges();
      let deleted = 0;
      for (;;) {
        watch(deleted);
        const clients = await clientsOfInbound(trx, inboundId, 0);
        if (clients.length === 0) return { changes, result: { deleted } };
        changes.merge(await removeClients(trx, clients, false, { traffic, nowMs: clock() }));
        deleted += clients.length;
      }
    });
    return result;
  }

  return {
    async attachEntries(trx, inbound, entries, { mode, nowMs, clientStats = [], keepsCredentials = false }) {
      const given = await readEntries(entries);
      const isImport = mode === 'import' || mode === 'merge';
      const inputs = isImport ? switchedOffByLimits(given, clientStats, nowMs) : given;
      const changes = new UserChanges();
      const created: string[] = [];
      if (mode === 'replace') {
        const keep = new Set(inputs.map(({ email }) => foldText(email)));
        changes.merge(await detachOthers(trx, inbound.id, keep, { traffic, nowMs }));
      }
      for (const chunk of chunked(inputs)) {
        let unplaced = chunk;
        if (mode === 'replace' || mode === 'merge') {
          const replaced = await replaceAttached(trx, inbound, chunk, { traffic, nowMs });
          changes.merge(replaced.changes);
          unplaced = replaced.others;
        }
        const placed = await placeAll(trx, inbound, unplaced, keepsCredentials, { traffic, nowMs });
        changes.merge(placed.changes);
        created.push(...placed.createdKeys);
      }
      if (isImport) await openImported(trx, clientStats, new Set(created), { traffic, nowMs });
      return { emails: changes.emailsOf(inbound.id) };
    },

    composeEntries: (inboundIds) => composeEntries(store.heavyReader, inboundIds),
    entryPages: (inboundId) => entryPages(store.heavyReader, inboundId),
    slimEntryPages: (inboundId) => slimEntryPages(store.heavyReader, inboundId),
    statsOf: (inboundIds, options) => statsOf(store.heavyReader, inboundIds, options),
    statsPages: (inboundId, options) => statsPages(store.heavyReader, inboundId, options),

    countsByInbound: () => countsByInbound(store.heavyReader, traffic.onlineEmails()),
    countOnlyAt: (inboundIds) => countOnlyAt(store.heavyReader, inboundIds),

    async detachAll(trx, inboundId) {
      await detachEverybody(trx, inboundId, { traffic, nowMs: clock() });
    },

    async deleteAllOf(inboundId) {
      const total = await countOf(store.heavyReader, inboundId);
      const { deleted } = await runBulk(jobs, {
        kind: 'deleteInboundClients',
        title: `Delete ${total} clients`,
        total,
        work: (watch) => deleteAll(inboundId, watch),
      });
      return { deleted, skipped: [] };
    },

    async regenerateForCipher(trx, inbound) {
      const changes = new UserChanges();
      for (let afterId = 0; ;) {
        const rows = await clientsOfInbound(trx, inbound.id, afterId);
        if (rows.length === 0) break;
        const { clients } = await loadAttachments(trx, rows);
        for (const client of clients.values()) complete(client);
        changes.merge(await saveClients(trx, [...clients.values()], traffic, clock()));
        afterId = rows.at(-1)!.id;
      }
      return changes.emailsOf(inbound.id);
    },

    async adaptFlows(trx, { id, protocol, settings, streamSettings }) {
      const changed = await adaptFlows(trx, id, isFlowCapable(protocol, settings, streamSettings));
      return changed.map(({ email }) => email);
    },

    noteCommitted: onChanged,
  };
}

/**
 * Entries do not say what disabled a client: one that is over its limits counts as disabled by them, so that it renews
 * and a new limit enables it.
 */
function switchedOffByLimits(
  inputs: readonly ClientInput[],
  stats: readonly ImportedStats[],
  nowMs: number,
): ClientInput[] {
  const usedBytes = new Map(stats.map(({ email, up, down }) => [foldText(email), up + down]));
  return inputs.map((input) => {
    const { email, enable, disabledBy, totalGB = 0, expiryTime = 0 } = input;
    const isUsedUp = totalGB > 0 && (usedBytes.get(foldText(email)) ?? 0) >= totalGB;
    const isOver = isUsedUp || (expiryTime > 0 && expiryTime <= nowMs);
    return enable === false && disabledBy === undefined && isOver ? { ...input, disabledBy: 'loop' } : input;
  });
}

/** Counters from an import, for clients it created; counters kept here for a returning e-mail take precedence. */
async function openImported(
  trx: WriteTransaction,
  stats: readonly ImportedStats[],
  createdKeys: ReadonlySet<string>,
  { traffic, nowMs }: EntryDeps,
): Promise<void> {
  const statOf = new Map(stats.map((stat) => [foldText(stat.email), stat]));
  const keys = [...statOf.keys()].filter((key) => createdKeys.has(key));
  for (const chunk of chunked(keys)) {
    const fresh = (await clientsByKeys(trx, chunk)).filter(
      ({ upBytes, downBytes }) => upBytes === 0 && downBytes === 0,
    );
    const opening = fresh.map(({ id, emailKey }) => {
      const { up, down, lastOnline } = statOf.get(emailKey)!;
      return { clientId: id, upBytes: up, downBytes: down, lastOnlineAtMs: lastOnline };
    });
    await traffic.openCounters(trx, opening, nowMs);
    await setLastOnline(trx, opening);
  }
}
