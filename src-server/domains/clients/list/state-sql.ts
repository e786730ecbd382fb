import { sql, type RawBuilder } from 'kysely';
import { spelled } from '../../../store/dialect/spelled.ts';
import type { Moment } from './near-limits.ts';

/** No limit sorts after every limit. */
export const UNLIMITED = sql.raw(String(Number.MAX_SAFE_INTEGER));

/** Conditions over `clientStates AS state`. A negative expiry waits for first traffic: it is neither passed nor near. */

/**
 * What the client used, as far as this panel or one above it knows. Few clients have totals of another panel, and plain
 * additions cost a third less over 100,000 rows.
 */
export const USED = sql<number>`(CASE WHEN state.peerTotalBytes = 0 THEN state.upBytes + state.downBytes
  ELSE max(state.upBytes, state.peerUpBytes) + max(state.downBytes, state.peerDownBytes) END)`;

/** What is left of the quota. */
export const REMAINING = sql<number>`CASE WHEN state.quotaBytes > 0 THEN state.quotaBytes - ${USED} ELSE ${UNLIMITED} END`;

/** The end of the client's time. */
export const END = sql<number>`CASE WHEN state.expiresAtMs > 0 THEN state.expiresAtMs ELSE ${UNLIMITED} END`;

/** Whether the client comes back by itself when its period is over. */
export const RENEWS = sql<boolean>`(state.resetDays > 0 OR state.resetDay > 0)`;

// Its opposite is, word for word, the condition of an index.
export const isEnabled = sql<boolean>`state.enable <> 0`;

// PostgreSQL finds both through an index of the expression, whose values it also knows the shares of.
const IS_USED_UP = spelled<boolean>(
  sql`(state.quotaBytes > 0 AND ${USED} >= state.quotaBytes)`,
  sql`(${REMAINING} <= 0)`,
);
const SHARE = sql`CASE WHEN state.quotaBytes > 0 THEN CAST(${USED} AS double precision) / state.quotaBytes ELSE 0 END`;

export const isExpired = ({ nowMs }: Moment): RawBuilder<boolean> =>
  spelled<boolean>(sql`(state.expiresAtMs > 0 AND state.expiresAtMs <= ${nowMs})`, sql`(${END} <= ${nowMs})`);

/** Used up and not expired: who is both counts as expired. */
export const isExhausted = (moment: Moment): RawBuilder<boolean> =>
  sql<boolean>`(${IS_USED_UP} AND NOT ${isExpired(moment)})`;

/** Used up or expired. */
export const isDepleted = (moment: Moment): RawBuilder<boolean> =>
  sql<boolean>`(${IS_USED_UP} OR ${isExpired(moment)})`;

export const isNear = ({ nearUntilMs, nearBytes, nearPercent }: Moment): RawBuilder<boolean> => {
  const nearShare = nearPercent / 100;
  return spelled<boolean>(
    sql`((state.expiresAtMs > 0 AND state.expiresAtMs < ${nearUntilMs})
      OR (state.quotaBytes > 0 AND state.quotaBytes - ${USED} < max(${nearBytes}, state.quotaBytes * ${nearShare})))`,
    // The division is rounded: it only finds those that the exact condition is to be asked of.
    sql`(${END} < ${nearUntilMs} OR ${REMAINING} < ${nearBytes}
      OR (${SHARE} > ${1 - nearShare - ROUNDING} AND state.quotaBytes > 0 AND state.quotaBytes - ${USED} < state.quotaBytes * ${nearShare}))`,
  );
};
const ROUNDING = 1e-9;

/** Part of the summary's partition that a client is in. */
export const summaryPart = (moment: Moment): RawBuilder<string> => sql<string>`CASE
  WHEN ${isDepleted(moment)} THEN 'depleted'
  WHEN NOT (${isEnabled}) THEN 'deactive'
  WHEN ${isNear(moment)} THEN 'expiring'
  ELSE 'active' END`;

/** True of everybody who is in another part than the active, and found without looking at those: for where there are a million of them. */
export const mayBeSpecial = (moment: Moment): RawBuilder<boolean> =>
  spelled<boolean>(sql`true`, sql`(${isDepleted(moment)} OR NOT (${isEnabled}) OR ${isNear(moment)})`);
