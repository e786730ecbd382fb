import { sql } from 'kysely';
import * as z from 'zod';
import { CHANGES } from '../store/postgres/shared-names.ts';
import { numbersIn } from '../store/dialect/each-json.ts';
import type { WriteTransaction } from '../store/open-store.ts';
import type { Change } from './runtime.ts';

/** Bytes of one message; PostgreSQL accepts less than 8,000. */
const MAX_BYTES = 7_900;
/** More inbounds than this are sent as a change of everything. */
const MAX_INBOUNDS = 500;

const Users = z.array(z.object({ inboundId: z.int(), emails: z.array(z.string()).readonly() }));
const Message = z.object({
  inboundIds: z.array(z.int()),
  users: Users,
  everything: z.boolean(),
  endSessions: z.object({ how: z.enum(['leave', 'readd', 'restart', 'asNeeded']), users: Users }).optional(),
});

/**
 * Notifies the servers that run their own inbounds of this transaction's changes there, once it is committed.
 * @param ownId this server, which is not notified
 */
export async function notifyServers(trx: WriteTransaction, ownId: string, change: Change): Promise<void> {
  const { inboundIds = [], users = [], everything = false, endSessions } = change;
  const named = JSON.stringify([...new Set([...inboundIds, ...users.map(({ inboundId }) => inboundId)])]);
  const { rows } = await sql<{ id: number }>`SELECT id FROM inbounds
    WHERE id IN ${numbersIn(named)} AND serverId <> ${ownId}`.execute(trx);
  const there = new Set(rows.map(({ id }) => id));
  if (there.size === 0 && !everything) return;
  const isThere = ({ inboundId }: { inboundId: number }): boolean => there.has(inboundId);
  const message = {
    inboundIds: inboundIds.filter((id) => there.has(id)),
    users: users.filter(isThere),
    everything,
    ...(endSessions !== undefined && {
      endSessions: { how: endSessions.how, users: endSessions.users.filter(isThere) },
    }),
  };
  await sql`SELECT pg_notify(${CHANGES}, ${textOf(message, [...there])})`.execute(trx);
}

/** Where there are too many clients to name, the receiver compares whole inbounds. */
function textOf(message: z.infer<typeof Message>, there: number[]): string {
  const text = JSON.stringify(message);
  if (Buffer.byteLength(text) <= MAX_BYTES) return text;
  const whole = { inboundIds: there, users: [], everything: message.everything };
  return JSON.stringify(there.length > MAX_INBOUNDS ? { inboundIds: [], users: [], everything: true } : whole);
}

/** Reads a message of {@link notifyServers}; any other text means a change of everything. */
export function readChange(text: string): Change {
  try {
    const message = Message.safeParse(JSON.parse(text));
    if (message.success) {
      const { endSessions, ...change } = message.data;
      return { ...change, ...(endSessions !== undefined && { endSessions }) };
    }
  } catch {
    // Sent by something else.
  }
  return { everything: true };
}
