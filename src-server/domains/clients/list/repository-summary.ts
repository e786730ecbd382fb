import { sql, type RawBuilder } from 'kysely';
import { asList } from '../storage/client-row.ts';
import type { Db } from '../../../store/schema.ts';
import type { Moment } from './near-limits.ts';
import { isExpired, mayBeSpecial, summaryPart } from './state-sql.ts';
import { eachText } from '../../../store/dialect/each-json.ts';

/** Parts of the summary that are listed; all other clients are active. */
export type Part = 'depleted' | 'expiring' | 'deactive';

/** Clients in the order of their record ids; `emails[i]` belongs to `ids[i]`. */
export interface Members {
  ids: number[];
  emails: string[];
}

interface MemberLists {
  ids: string;
  emails: string;
}

const membersOf = ({ ids, emails }: MemberLists): Members => ({
  ids: JSON.parse(ids) as number[],
  emails: JSON.parse(emails) as string[],
});

/**
 * All clients that are not simply active, and a separate list of the expired ones among the depleted. One text per list
 * crosses the threads, not one object per client.
 */
export async function readParts(db: Db, moment: Moment): Promise<Record<Part | 'expired', Members>> {
  const { rows } = await sql<MemberLists & { part: Part | 'expired' }>`
    SELECT part, json_group_array(id ORDER BY id) AS ids, json_group_array(email ORDER BY id) AS emails FROM (
      SELECT ${summaryPart(moment)} AS part, client.id, client.email
      FROM clientStates AS state JOIN clients AS client ON client.id = state.clientId WHERE ${mayBeSpecial(moment)}
    ) AS placed WHERE part <> 'active' GROUP BY part
    UNION ALL
    SELECT 'expired', json_group_array(client.id ORDER BY client.id), json_group_array(client.email ORDER BY client.id)
    FROM clientStates AS state JOIN clients AS client ON client.id = state.clientId WHERE ${isExpired(moment)}`.execute(
    db,
  );
  const none = (): Members => ({ ids: [], emails: [] });
  const parts = { depleted: none(), expired: none(), expiring: none(), deactive: none() };
  for (const { part, ...lists } of rows) parts[part] = membersOf(lists);
  return parts;
}

/** Enabled clients among these e-mails. */
export const onlineAmong = (emails: readonly string[]): RawBuilder<MemberLists> => sql`
  SELECT json_group_array(client.id ORDER BY client.id) AS ids,
    json_group_array(client.email ORDER BY client.id) AS emails
  FROM ${eachText(asList(emails))} AS wanted
  CROSS JOIN clients AS client ON client.email = wanted.value
  CROSS JOIN clientStates AS state ON state.clientId = client.id AND state.enable = 1`;

export async function readOnline(db: Db, emails: ReadonlySet<string>): Promise<Members> {
  if (emails.size === 0) return { ids: [], emails: [] };
  const { rows } = await onlineAmong([...emails]).execute(db);
  return membersOf(rows[0]!);
}
