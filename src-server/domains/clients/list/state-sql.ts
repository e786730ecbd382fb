import { sql, type RawBuilder } from 'kysely';
import type { Moment } from './near-limits.ts';

/** Conditions over `clientStates AS state`. A negative expiry waits for first traffic: it is neither passed nor near. */

/**
 * What the client used, as far as this panel or one above it knows. Few clients have totals of another panel, and plain
 * additions cost a third less over 100,000 rows.
 */
export const USED = sql<number>`(CASE WHEN state.peerTotalBytes = 0 THEN state.upBytes + state.downBytes
  ELSE max(state.upBytes, state.peerUpBytes) + max(state.downBytes, state.peerDownBytes) END)`;

/** Whether the client comes back by itself when its period is over. */
export const RENEWS = sql<boolean>`(state.resetDays > 0 OR state.resetDay > 0)`;

export const isEnabled = sql<boolean>`state.enable = 1`;

const IS_USED_UP = sql<boolean>`(state.quotaBytes > 0 AND ${USED} >= state.quotaBytes)`;

export const isExpired = ({ nowMs }: Moment): RawBuilder<boolean> =>
  sql<boolean>`(state.expiresAtMs > 0 AND state.expiresAtMs <= ${nowMs})`;

/** Used up and not expired: who is both counts as expired. */
export const isExhausted = (moment: Moment): RawBuilder<boolean> =>
  sql<boolean>`(${IS_USED_UP} AND NOT ${isExpired(moment)})`;

/** Used up or expired. */
export const isDepleted = (moment: Moment): RawBuilder<boolean> =>
  sql<boolean>`(${IS_USED_UP} OR ${isExpired(moment)})`;

export const isNear = ({ nearUntilMs, nearBytes, nearPercent }: Moment): RawBuilder<boolean> => sql<boolean>`(
  (state.expiresAtMs > 0 AND state.expiresAtMs < ${nearUntilMs})
  OR (state.quotaBytes > 0 AND state.quotaBytes - ${USED} < max(${nearBytes}, state.quotaBytes * ${nearPercent / 100})))`;

/** Part of the summary's partition that a client is in. */
export const summaryPart = (moment: Moment): RawBuilder<string> => sql<string>`CASE
  WHEN ${isDepleted(moment)} THEN 'depleted'
  WHEN NOT (${isEnabled}) THEN 'deactive'
  WHEN ${isNear(moment)} THEN 'expiring'
  ELSE 'active' END`;
