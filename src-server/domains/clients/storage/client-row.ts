import { sql } from 'kysely';

/** Columns of a stored client over `clients AS client` and `clientStates AS state`. */
export const CLIENT_COLUMNS = sql.raw(
  `client.id, client.email, client.emailKey, client.subId, client.uuid, client.password, client.auth, client.flow,
   client.security, client.reverse, client.limitIp, client.tgId, client.groupName, client.comment, client.planId, client.createdAtMs,
   client.updatedAtMs, state.enable, state.disabledBy, state.quotaBytes, state.expiresAtMs, state.resetDays, state.resetDay,
   state.upBytes, state.downBytes, state.lastOnlineAtMs, state.peerUpBytes, state.peerDownBytes`,
);

/** Ids or texts as one parameter, so that the text of a statement does not depend on their number. */
export const asList = (values: readonly (number | string)[]): string => JSON.stringify(values);
