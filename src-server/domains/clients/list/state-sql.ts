import { sql, type RawBuilder } from 'kysely';
import { spelled } from '../../../store/dialect/spelled.ts';
import type { Moment } from './near-limits.ts';

/** No limit sorts after every limit. */
export const UNLIMITED = sql.raw(String(Number.MAX_SAFE_INTEGER));

/**
 * Conditions over `clientStates AS state`. A negative expiry waits for first traffic: it is neither passed nor near.
 */

/**
 * Usage of the client, as known to this panel or one above it. Few clients have totals of another panel, and plain
 * additions cost a third less over 100,000 rows.
 */
export const USED = sql<number>`(CASE WHEN state.peerTotalBytes = 0 THEN state.upBytes + state.downBytes
  ELSE max(state.upBytes, state.peerUpBytes) + max(state.downBytes, state.peerDownBytes) END)`;

/** What is left of the quota. */
export const REMAINING = sql<number>`CASE WHEN state.quotaBytes > 0 THEN state.quotaBytes - ${USED} ELSE ${UNLIMITED} END`;

/** The client's expiry. */
export const END = sql<number>`CASE WHEN state.expiresAtMs > 0 THEN state.expiresAtMs ELSE ${UNLIMITED} END`;

/** Whether the client renews automatically at the end of its period. */
export const RENEWS = sql<boolean>`(state.resetDays > 0 OR state.resetDay > 0)`;

// Its negation is, word for word, the condition of an index.
export const isEnabled = sql<boolean>`state.enable <> 0`;

// PostgreSQL finds both through an index on the expression, for which it also keeps statistics.
const IS_USED_UP = spelled<boolean>(
  sql`(state.quotaBytes > 0 AND ${USED} >= state.quotaBytes)`,
  sql`(${REMAINING} <= 0)`,
);
const SHARE = sql`CASE WHEN state.quotaBytes > 0 THEN CAST(${USED} AS double precision) / state.quotaBytes ELSE 0 END`;

export const isExpired = ({ nowMs }: Pick<Moment, 'nowMs'>): RawBuilder<boolean> =>
  spelled<boolean>(sql`(state.expiresAtMs > 0 AND state.expiresAtMs <= ${nowMs})`, sql`(${END} <= ${nowMs})`);

/** Quota used up, but not expired: a client that is both counts as expired. */
export const isExhausted = (moment: Moment): RawBuilder<boolean> =>
  sql<boolean>`(${IS_USED_UP} AND NOT ${isExpired(moment)})`;

/** Quota used up, or expired. */
export const isDepleted = (moment: Moment): RawBuilder<boolean> =>
  sql<boolean>`(${IS_USED_UP} OR ${isExpired(moment)})`;

export const isNear = ({ nearUntilMs, nearBytes, nearPercent }: Moment): RawBuilder<boolean> => {
  const nearShare = nearPercent / 100;
  return spelled<boolean>(
    sql`((state.expiresAtMs > 0 AND state.expiresAtMs < ${nearUntilMs})
      OR (state.quotaBytes > 0 AND state.quotaBytes - ${USED} < max(${nearBytes}, state.quotaBytes * ${nearShare})))`,
    // The division is rounded: it only preselects rows for the exact condition.
    sql`(${END} < ${nearUntilMs} OR ${REMAINING} < ${nearBytes}
      OR (${SHARE} > ${1 - nearShare - ROUNDING} AND state.quotaBytes > 0 AND state.quotaBytes - ${USED} < state.quotaBytes * ${nearShare}))`,
  );
};
const ROUNDING = 1e-9;

/** Part of the summary's partition that a client belongs to. */
export const summaryPart = (moment: Moment): RawBuilder<string> => sql<string>`CASE
  WHEN ${isDepleted(moment)} THEN 'depleted'
  WHEN NOT (${isEnabled}) THEN 'deactive'
  WHEN ${isNear(moment)} THEN 'expiring'
  ELSE 'active' END`;

/** True for all clients not in the active part, found without reading the active ones: for a million of those. */
export const mayBeSpecial = (moment: Moment): RawBuilder<boolean> =>
  spelled<boolean>(sql`true`, sql`(${isDepleted(moment)} OR NOT (${isEnabled}) OR ${isNear(moment)})`);
