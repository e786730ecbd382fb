import { sql, type RawBuilder } from 'kysely';
import type { Flag } from '../../store/schema.ts';
import { asList, type Db } from './client-row.ts';
import type { Moment } from './near-limits.ts';
import { SortedMembers } from './sorted-members.ts';
import { summaryPart } from './state-sql.ts';

/** Parts of the summary that are listed; everybody else is active. */
export type Part = 'depleted' | 'expiring' | 'deactive';

interface MemberLists {
  ids: string;
  emails: string;
}

const membersOf = ({ ids, emails }: MemberLists): SortedMembers =>
  new SortedMembers(JSON.parse(ids) as number[], JSON.parse(emails) as string[]);

/** Everybody who is not simply active. One text per list crosses the threads, not one object per client. */
export async function readParts(db: Db, moment: Moment): Promise<Record<Part, SortedMembers>> {
  const { rows } = await sql<MemberLists & { part: Part }>`
    SELECT part, json_group_array(id ORDER BY id) AS ids, json_group_array(email ORDER BY id) AS emails FROM (
      SELECT ${summaryPart(moment)} AS part, client.id, client.email
      FROM clientStates AS state JOIN clients AS client ON client.id = state.clientId
    ) WHERE part <> 'active' GROUP BY part`.execute(db);
  const parts = { depleted: new SortedMembers(), expiring: new SortedMembers(), deactive: new SortedMembers() };
  for (const { part, ...lists } of rows) parts[part] = membersOf(lists);
  return parts;
}

/** Enabled clients among these e-mails. */
export const onlineAmong = (emails: readonly string[]): RawBuilder<MemberLists> => sql`
  SELECT json_group_array(client.id ORDER BY client.id) AS ids,
    json_group_array(client.email ORDER BY client.id) AS emails
  FROM json_each(${asList(emails)}) AS wanted
  CROSS JOIN clients AS client ON client.email = wanted.value
  CROSS JOIN clientStates AS state ON state.clientId = client.id AND state.enable = 1`;

export async function readOnline(db: Db, emails: ReadonlySet<string>): Promise<SortedMembers> {
  if (emails.size === 0) return new SortedMembers();
  const { rows } = await onlineAmong([...emails]).execute(db);
  return membersOf(rows[0]!);
}

/** Clients whose expiry passed, or came near, after `before` and until `now`. */
export const crossing = (before: Moment, now: Moment): RawBuilder<{ clientId: number }> => sql`
  SELECT clientId FROM clientStates
  WHERE expiresAtMs > 0 AND expiresAtMs > ${before.nowMs} AND expiresAtMs <= ${now.nowMs}
  UNION ALL
  SELECT clientId FROM clientStates
  WHERE expiresAtMs > 0 AND expiresAtMs >= ${before.nearUntilMs} AND expiresAtMs < ${now.nearUntilMs}`;

export async function idsCrossing(db: Db, before: Moment, now: Moment): Promise<number[]> {
  if (before.nowMs === now.nowMs) return [];
  return (await crossing(before, now).execute(db)).rows.map(({ clientId }) => clientId);
}

export interface PresentPart {
  id: number;
  email: string;
  enable: Flag;
  part: Part | 'active';
}

/** Present part of each of these clients; deleted ones are absent. */
export const presentParts = (ids: readonly number[], moment: Moment): RawBuilder<PresentPart> => sql`
  SELECT client.id, client.email, state.enable, ${summaryPart(moment)} AS part
  FROM json_each(${asList(ids)}) AS wanted
  CROSS JOIN clients AS client ON client.id = wanted.value
  CROSS JOIN clientStates AS state ON state.clientId = client.id`;
