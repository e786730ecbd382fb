import { sql } from 'kysely';
import { CAPTURED } from '../../store/journal/captured-tables.ts';
import type { Db } from '../../store/schema.ts';

/** Every row of the tables that an undo restores, without their write times. */
export async function capturedState(db: Db): Promise<Record<string, unknown[]>> {
  const state: Record<string, unknown[]> = {};
  for (const { name, keys, values, sums = [], carried = [], isNoted, unless } of CAPTURED) {
    if (isNoted === true) continue;
    const columns = [
      ...keys,
      ...values,
      ...sums,
      ...carried.filter((column) => !/^(created|updated)AtMs$/.test(column)),
    ];
    const where = unless === undefined ? '' : ` WHERE NOT (${unless.replaceAll('ROW.', `${name}.`)})`;
    const text = `SELECT ${[...new Set(columns)].join(', ')} FROM ${name}${where} ORDER BY ${keys.join(', ')}`;
    state[name] = (await sql.raw(text).execute(db)).rows;
  }
  return state;
}

/** Clients whose counters are not the sum of their ledger: always none. */
export async function unbalanced(db: Db): Promise<unknown[]> {
  const { rows } =
    await sql`SELECT state.clientId, state.upBytes, state.downBytes, sum(entry.upBytes) AS up, sum(entry.downBytes) AS down
    FROM clientStates AS state LEFT JOIN trafficLedger AS entry ON entry.clientId = state.clientId
    GROUP BY state.clientId
    HAVING state.upBytes <> coalesce(sum(entry.upBytes), 0) OR state.downBytes <> coalesce(sum(entry.downBytes), 0)`.execute(
      db,
    );
  return rows;
}
