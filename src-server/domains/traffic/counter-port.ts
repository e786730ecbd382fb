import { sql } from 'kysely';
import type { ResetCause } from '../../runtime/runtime.ts';
import type { WriteTransaction } from '../../store/open-store.ts';
import type { ClientTrafficPort } from '../clients/traffic-port.ts';
import { keepGroupTotals } from '../groups/group-totals.ts';
import { dropAddresses, moveAddresses } from '../clientIps/repository-names.ts';
import type { InboundTrafficPort } from '../inbounds/traffic-port.ts';
import {
  clientIdsOf,
  sourceOfCore,
  emailsOf,
  enableClients,
  everyCoreSource,
  giveCounters,
  noteBearers,
  noteFormerName,
  setOwnCounters,
  setSameCounters,
  spentClientsOf,
  usersOf,
} from './counting/repository-bookkeeping.ts';

export interface CounterPortDeps {
  coreSource: string;
  /** These names may belong to other clients now; look them up again before showing them. */
  forgetNames: (names: readonly string[]) => void;
  onlineEmails: () => ReadonlySet<string>;
  nextRenewalMs: ClientTrafficPort['nextRenewalMs'];
  /** Reads the counters when the core already counts under one of the names. */
  settle: (names: readonly string[]) => Promise<void>;
  onReset?: OnReset | undefined;
}

/**
 * Called inside the transaction that reset the counters, for other places that count them. @param idsJson JSON array of
 * client ids
 */
export type OnReset = (trx: WriteTransaction, idsJson: string, cause: ResetCause) => Promise<void>;

/** What the traffic domain offers to the domains of clients and inbounds. */
export interface CounterPort extends ClientTrafficPort, InboundTrafficPort {
  /**
   * Must be awaited before, and outside of, the transaction that gives these e-mails to new clients: bytes moved under
   * them so far go to the previous owner. Without it, bytes of the previous owner's open connections since the last
   * reading (up to 5 s) go to the new one. Costs nothing for names the core has never counted.
   */
  settleSubjects(emails: readonly string[]): Promise<void>;
}

/** Bookkeeping inside other domains' transactions: counters, ledger and ownership of the core's counters move together. */
export function createCounterPort(deps: CounterPortDeps): CounterPort {
  const { coreSource, forgetNames } = deps;
  return {
    async setCounters(trx, clientIds, to, reason, nowMs) {
      const target = to === 'zero' ? { upBytes: 0, downBytes: 0 } : to;
      const idsJson = JSON.stringify(clientIds);
      await setSameCounters(trx, idsJson, target, reason, nowMs);
      if (reason === 'reset') await deps.onReset?.(trx, idsJson, 'request');
    },

    bookCounters: setOwnCounters,

    openCounters: (trx, entries, nowMs) => setOwnCounters(trx, entries, 'opening', nowMs),

    async bindSubjects(trx, entries) {
      forgetNames(entries.map(({ email }) => email));
      const source = await sourceOfCore(trx, coreSource);
      if (source !== undefined) await giveCounters(trx, source.id, entries);
    },

    async renameSubject(trx, from, to, clientId) {
      if (from === to) return;
      forgetNames([from, to]);
      await moveAddresses(trx, from, to);
      const source = await sourceOfCore(trx, coreSource);
      for (const id of await everyCoreSource(trx, coreSource)) await noteFormerName(trx, id, from, clientId);
      if (source !== undefined) await giveCounters(trx, source.id, [{ email: to, clientId }]);
    },

    async releaseSubjects(trx, clientIds) {
      const idsJson = JSON.stringify(clientIds);
      const emails = await emailsOf(trx, idsJson);
      forgetNames(emails);
      await dropAddresses(trx, emails);
      // Ids are never reused, so a counter without its owner credits no client. The ledger of a deleted client is
      // unreachable at once; its rows are dropped by the next roll-up.
      for (const id of await everyCoreSource(trx, coreSource)) await noteBearers(trx, id, idsJson);
    },

    async forgetAddresses(trx, clientIds) {
      await dropAddresses(trx, await emailsOf(trx, JSON.stringify(clientIds)));
    },

    onlineEmails: deps.onlineEmails,
    nextRenewalMs: deps.nextRenewalMs,
    settleSubjects: deps.settle,

    async resetInbound(trx, inboundId, nowMs) {
      // Later than the one before even if the clock was set back: nodes get a reset they have not carried out yet.
      const resetAtMs = sql<number>`max(CAST(${nowMs} AS INTEGER), lastTrafficResetAtMs + 1)`;
      await trx
        .updateTable('inbounds')
        .set({ upBytes: 0, downBytes: 0, lastTrafficResetAtMs: resetAtMs })
        .where('id', '=', inboundId)
        .execute();
    },

    async resetClientsOfInbound(trx, inboundId, nowMs) {
      const spent = await spentClientsOf(trx, inboundId, nowMs);
      const idsJson = await clientIdsOf(trx, inboundId);
      await resetAll(trx, idsJson, nowMs);
      await deps.onReset?.(trx, idsJson, 'schedule');
      await enableClients(trx, spent, nowMs);
      const users = await usersOf(trx, spent);
      return { users: users.map(({ inboundId: id, emails }) => ({ inboundId: id, emails })) };
    },
  };
}

/** Resets the counters of these clients and keeps the group totals. */
export async function resetAll(trx: WriteTransaction, idsJson: string, nowMs: number): Promise<void> {
  await keepGroupTotals(trx, JSON.parse(idsJson) as number[], nowMs);
  await setSameCounters(trx, idsJson, { upBytes: 0, downBytes: 0 }, 'reset', nowMs);
}
