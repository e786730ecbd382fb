import { DomainError } from '../../../contract/domain-error.ts';
import { MAX_BYTES } from '../../../contract/fields/port.ts';
import { gatedFlow } from '../../../core/config/inbound/inbound-rules.ts';
import type { RequestId, RunChange } from './change-runner.ts';
import { FLOWS, MAX_TIME_MS } from '../contract.ts';
import { namedChunks, type Skipped } from './email-list.ts';
import { loadNamed } from '../storage/load-clients.ts';
import { skippedFor } from './reason.ts';
import { saveClients } from '../storage/save-clients.ts';
import type { ClientTrafficPort } from '../traffic-port.ts';
import { UserChanges } from '../storage/user-changes.ts';
import { unwatched, type Watch } from '../list/watch.ts';
import { setFlow, type ClientValues, type WorkingClient } from '../verbs/working-client.ts';

const DAY_MS = 86_400_000;

export interface Adjustment {
  /** Days by which the expiry moves; may be negative. */
  addDays: number;
  /** An expiry set for all of them first, in ms since the epoch; 0 = unchanged. */
  expiryTime?: number;
  /** Bytes by which the quota moves; may be negative. */
  addBytes: number;
  /** `none` clears the flow, a vision flow is set where supported, anything else leaves flows unchanged. */
  flow: string;
}

type Reason =
  | 'client.notFound'
  | 'client.unlimitedExpiry'
  | 'client.reducesTime'
  | 'client.reducesDelay'
  | 'client.unlimitedTraffic'
  | 'client.reducesQuota'
  | 'client.flowUnsupported'
  | 'client.limitTooLarge';

export function createBulkAdjust(run: RunChange, traffic: ClientTrafficPort, clock: () => number) {
  /**
   * Moves or sets the expiry, moves the quota, and sets flows. The parts are independent: a failure of one does not
   * prevent the others. No client is disabled.
   * @throws {DomainError} `client.noAdjustment`
   */
  return async (
    emails: readonly string[],
    adjustment: Adjustment,
    requestId: RequestId,
    watch: Watch = unwatched,
  ): Promise<{ adjusted: number; skipped: Skipped[] }> => {
    const flow = wantedFlow(adjustment.flow);
    const { addDays, addBytes, expiryTime = 0 } = adjustment;
    if (addDays === 0 && addBytes === 0 && expiryTime === 0 && flow === null)
      throw new DomainError('client.noAdjustment');
    const { result, notes } = await run(requestId, async (trx) => {
      const changes = new UserChanges();
      const skipped: Skipped[] = [];
      let adjusted = 0;
      for (const named of namedChunks(emails, watch)) {
        const { clients } = await loadNamed(trx, named);
        for (const { email, key } of named) {
          const client = clients.get(key);
          const adjustResult = client === undefined ? missing : adjust(client, adjustment, flow);
          if (adjustResult.isAdjusted) adjusted += 1;
          if (adjustResult.reason !== null) skipped.push(skippedFor(email, new DomainError(adjustResult.reason)));
        }
        changes.merge(await saveClients(trx, [...clients.values()], traffic, clock()));
      }
      return { changes, result: { adjusted, skipped } };
    });
    return { ...result, ...notes };
  };
}

const missing = { isAdjusted: false, reason: 'client.notFound' } as const;

/** Null = flows stay unchanged. */
function wantedFlow(flow: string): string | null {
  if (flow === 'none') return '';
  return flow !== '' && (FLOWS as readonly string[]).includes(flow) ? flow : null;
}

function adjust(
  client: WorkingClient,
  { addDays, addBytes, expiryTime = 0 }: Adjustment,
  flow: string | null,
): { isAdjusted: boolean; reason: Reason | null } {
  const { values } = client;
  const refusals: Reason[] = [];
  let isAdjusted = false;
  const tryPart = (refusal: Reason | null): void => {
    if (refusal === null) isAdjusted = true;
    else refusals.push(refusal);
  };
  if (expiryTime !== 0) {
    values.expiresAtMs = expiryTime;
    isAdjusted = true;
  }
  if (addDays !== 0) tryPart(moveExpiry(values, addDays));
  if (addBytes !== 0) tryPart(moveQuota(values, addBytes));
  if (flow !== null) tryPart(changeFlow(client, flow));
  return { isAdjusted, reason: refusals[0] ?? null };
}

/** An absolute expiry moves from its own date, not from now; a duration that has not started gets longer or shorter. */
function moveExpiry(values: ClientValues, addDays: number): Reason | null {
  const before = values.expiresAtMs;
  if (before === 0) return 'client.unlimitedExpiry';
  const after = before > 0 ? before + addDays * DAY_MS : before - addDays * DAY_MS;
  if (before > 0 && after <= 0) return 'client.reducesTime';
  if (before < 0 && after >= 0) return 'client.reducesDelay';
  if (Math.abs(after) > MAX_TIME_MS) return 'client.limitTooLarge';
  values.expiresAtMs = after;
  return null;
}

function moveQuota(values: ClientValues, addBytes: number): Reason | null {
  if (values.quotaBytes === 0) return 'client.unlimitedTraffic';
  const after = values.quotaBytes + addBytes;
  if (after <= 0) return 'client.reducesQuota';
  if (after > MAX_BYTES) return 'client.limitTooLarge';
  values.quotaBytes = after;
  return null;
}

/** Clearing works everywhere; a flow needs at least one attachment that can carry it. */
function changeFlow(client: WorkingClient, flow: string): Reason | null {
  const isCarried = [...client.links.values()].some(({ inbound }) => gatedFlow(flow, inbound) === flow);
  if (flow !== '' && !isCarried) return 'client.flowUnsupported';
  setFlow(client, flow);
  client.values.flow = flow;
  return null;
}
