import type { Row } from '../../store/schema.ts';
import type { SessionView } from './contract.ts';

/** Enough of the hash to tell sessions apart. */
const ID_LENGTH = 32;

/** Public id of a session. */
export function sessionId(idHash: string): string {
  return idHash.slice(0, ID_LENGTH);
}

export function presentSession(row: Row<'sessions'>, currentIdHash: string | null): SessionView {
  return {
    id: sessionId(row.idHash),
    current: row.idHash === currentIdHash,
    createdAt: row.createdAtMs,
    expiresAt: row.expiresAtMs,
    address: row.address,
    userAgent: row.userAgent,
  };
}
