import { sql, type Kysely } from 'kysely';
import { spelled } from './spelled.ts';

/** A trigger that runs once for each row, after the change. */
export interface RowTrigger {
  name: string;
  table: string;
  /** `INSERT`, `DELETE`, `UPDATE OF column`. */
  after: string;
  /** Condition over `new` and `old`. */
  when?: string;
  /** Statements, each with its semicolon. */
  body: string;
  /** The same for PostgreSQL, where more than the spelling differs. */
  bodyOfPostgres?: string;
}

/** SQL that creates the trigger; PostgreSQL needs a function for it. */
export function rowTrigger({ name, table, after, when, body, bodyOfPostgres = body }: RowTrigger) {
  const condition = when === undefined ? '' : `WHEN (${when})`;
  return spelled(
    sql.raw(`CREATE TRIGGER ${name} AFTER ${after} ON ${table} ${condition} BEGIN ${body} END`),
    sql.raw(`CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $trigger$
      BEGIN ${bodyOfPostgres} RETURN NULL; END $trigger$;
      CREATE TRIGGER ${name} AFTER ${after} ON ${table} FOR EACH ROW ${condition} EXECUTE FUNCTION ${name}()`),
  );
}

/** Runs statements of a migration one after another. */
export async function runAll(db: Kysely<unknown>, statements: readonly (string | RowTrigger)[]): Promise<void> {
  for (const statement of statements)
    await (typeof statement === 'string' ? sql.raw(statement) : rowTrigger(statement)).execute(db);
}
