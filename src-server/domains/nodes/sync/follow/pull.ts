import { markReset } from '../../../../runtime/remote-marks.ts';
import type { Change } from '../../../../runtime/runtime.ts';
import { runScript, type Step } from '../../../../store/batch.ts';
import type { Store, WriteTransaction } from '../../../../store/open-store.ts';
import { resetAll } from '../../../traffic/counter-port.ts';
import { plausibleBytes } from '../../../traffic/counting/measure.ts';
import { usersOf } from '../../../traffic/counting/repository-bookkeeping.ts';
import { sourceIdOf } from '../../../traffic/counting/repository-counters.ts';
import * as periods from './repository-periods.ts';
import * as rows from './repository-pull.ts';
import { forgetCounters } from '../push/repository-attempts.ts';
import { redeliverAll } from '../push/repository-push.ts';
import type { Snapshot } from '../snapshot.ts';

/** Assumed interval when the time of the previous reading is unknown. */
const DAY_MS = 86_400_000;

export interface PullDeps {
  store: Pick<Store, 'write'>;
  stage: (trx: WriteTransaction, change: Change) => Promise<void>;
  clock: () => number;
}

/** The node, the name under which its bytes are recorded, and what was read of it. */
export interface Reading {
  nodeId: number;
  /** GUID of the node in the ledger's sources, and of the inbounds it hosts. */
  attribution: string;
  /** GUID the node reports of itself; empty = unknown. */
  guid: string;
  inbounds: Snapshot['inbounds'];
  /** Counters that may differ from those merged before. */
  counters: Snapshot['counters'];
  /** Whether smaller counters are trusted; otherwise the response may be a replay. */
  isDropBelieved: boolean;
  /** Whether the node has an older database than before: `maybe` after a start of its panel. */
  wentBack: 'no' | 'maybe' | 'yes';
  /** Folded names under which it has other clients than before: their counters start anew. */
  others: readonly string[];
  /** GUIDs of the node and of the panels behind it that it has read since it went back; null = all. */
  readGuids: readonly string[] | null;
  /** Inbounds and deadlines are unchanged since the last merge and can be skipped. */
  areOnlyCounters: boolean;
  /** The node's source in the ledger; null = not known yet. */
  sourceId: number | null;
  /** Identifies the response; stored with its data. */
  responseOrder: string;
  readAtMs: number;
  /** When the previous reading was requested; 0 = none since this panel started. */
  previousReadAtMs: number;
}

/** Result of a merge. */
export interface Pulled {
  /** Clients with new bytes. */
  moved: number;
  /** Changed clients that other places serve too; null = none. */
  change: Change | null;
  sourceId: number;
}

/**
 * Merges a reading in one transaction: counters, ledger and baselines move together or not at all. Anything missing
 * from the reading stays unchanged: absence never means deletion, and an empty reading changes nothing.
 * @returns why nothing is merged: a smaller counter that is not trusted yet, or a node that went back and may catch up
 */
export function mergeReading(
  { store, stage, clock }: PullDeps,
  reading: Reading,
): Promise<Pulled | 'dropped' | 'wentBack'> {
  const { nodeId, attribution, guid, inbounds, counters, readAtMs, previousReadAtMs } = reading;
  const { areOnlyCounters, wentBack, readGuids } = reading;
  return store.write(async (trx) => {
    const nowMs = clock();
    const sourceId = reading.sourceId ?? (await sourceIdOf(trx, 'node', attribution));
    const intervalMs = previousReadAtMs === 0 ? DAY_MS : Math.max(0, readAtMs - previousReadAtMs);
    const limitBytes = plausibleBytes(intervalMs);
    const merge: rows.Merge = { nodeId, sourceId, nowMs, previousReadAtMs, limitBytes, intervalMs };
    const doubts = [
      ...(reading.isDropBelieved ? [] : [rows.hasDropped(nodeId)]),
      ...(wentBack === 'maybe' ? [rows.hasGoneBack(nodeId)] : []),
    ];
    const renewals = areOnlyCounters || wentBack === 'yes' ? [] : [periods.renewedThere(nodeId, nowMs)];
    let filled = rows.fillReading(counters);
    if (readGuids !== null) filled.push(rows.addForgotten(nodeId, readGuids));
    const renewed: number[] = [];
    if (doubts.length + renewals.length > 0) {
      const queries = [...doubts, ...renewals];
      const results = (await runScript(trx, [...filled, ...queries])).slice(-queries.length);
      const [doubt] = results.slice(0, doubts.length).flat() as { doubt: 'dropped' | 'wentBack' }[];
      if (doubt !== undefined) return doubt.doubt;
      const found = (renewals.length === 0 ? [] : results.at(-1)!) as { clientId: number }[];
      renewed.push(...found.map(({ clientId }) => clientId));
      filled = [];
    }
    if (wentBack === 'yes') {
      await redeliverAll(trx, nodeId, nowMs);
      filled = [...filled, ...rows.resetLostResets(nodeId, inbounds)];
    }
    if (reading.others.length > 0) await forgetCounters(trx, nodeId, reading.others);
    if (renewed.length > 0) {
      const ids = JSON.stringify(renewed);
      await resetAll(trx, ids, nowMs);
      await markReset(trx, ids, nowMs, { cause: 'renewal', besides: nodeId });
      await periods.takeRenewal(trx, nodeId, ids);
    }
    const originOf = (reported: string): string => (reported === '' || reported === guid ? attribution : reported);
    // The node's copy of their counters is an older one, too.
    const counted = inbounds.map((inbound) =>
      readGuids === null || readGuids.includes(originOf(inbound.originNodeGuid))
        ? inbound
        : { ...inbound, up: null, down: null },
    );
    const mirrored = [
      ...filled,
      rows.noteOrder(nodeId, reading.responseOrder),
      periods.settleRenewals(nodeId),
      ...periods.settleScheduledResets(nodeId, inbounds),
      ...rows.mirrorInbounds(merge, counted, areOnlyCounters ? null : originOf),
    ];
    const { moved, changed: others } = await mergeCounters(trx, merge, mirrored, counters.emailKeys.length > 0);
    const changed = [...renewed, ...others];
    if (changed.length === 0) return { moved, change: null, sourceId };
    const users = await usersOf(trx, JSON.stringify([...new Set(changed)]));
    const change: Change = { users: users.map(({ inboundId, emails }) => ({ inboundId, emails })) };
    await stage(trx, change);
    return { moved, change, sourceId };
  });
}

/**
 * @param mirrored steps to run first, in the same script
 * @param areAny whether the reading has client counters
 * @returns number of clients with new bytes, and those that started or ended because of it
 */
async function mergeCounters(
  trx: WriteTransaction,
  merge: rows.Merge,
  mirrored: readonly Step[],
  areAny: boolean,
): Promise<{ moved: number; changed: number[] }> {
  if (!areAny) {
    await runScript(trx, mirrored);
    return { moved: 0, changed: [] };
  }
  const measured = [...mirrored, ...rows.measureReading(merge)];
  const credited = [...rows.creditReading(merge), rows.raiseLastOnline(merge)];
  const ended = [...rows.startDelayed(merge), rows.disableAsThere(merge)];
  const results = await runScript(trx, [...measured, ...credited, ...ended]);
  const [counted] = results[measured.length - 1] as { count: number }[];
  const changed = results.slice(-ended.length).flat() as { clientId: number }[];
  return { moved: counted!.count, changed: changed.map(({ clientId }) => clientId) };
}
