import { CompiledQuery } from 'kysely';
import type { VersionPlace } from '../../migrate.ts';

/** Everything of the panel is in its own schema. */
export const SCHEMA = 'switchyard';

/** The schema version is in its own table. */
export const IN_TABLE: VersionPlace = {
  async read(db) {
    const { rows } = await db.executeQuery<{ version: number }>(
      CompiledQuery.raw(`SELECT version FROM "schemaVersion"`),
    );
    return rows[0]?.version ?? 0;
  },
  write: async (db, version) =>
    void (await db.executeQuery(CompiledQuery.raw(`UPDATE "schemaVersion" SET version = ${version}`))),
};

/** What the panel's schema has besides the tables of the migrations. */
export const FOUNDATION: readonly string[] = [
  `CREATE TABLE "schemaVersion" (version bigint NOT NULL)`,
  `INSERT INTO "schemaVersion" VALUES (0)`,
  `CREATE TABLE "lastIds" (name text COLLATE "C" PRIMARY KEY, seq bigint NOT NULL)`,
  `INSERT INTO "lastIds" VALUES ('journal', 0), ('events', 0)`,
  `CREATE TABLE "captured" (hash text COLLATE "C" NOT NULL)`,
  `CREATE FUNCTION "noteLastId"() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE "lastIds" SET seq = greatest(seq, (SELECT max(id) FROM added)) WHERE name = TG_ARGV[0];
      RETURN NULL;
    END $$`,
];

/** Tables that a file does not have: those of {@link FOUNDATION}, and those that a migration adds only on a server. */
export const SERVER_TABLES: readonly string[] = ['schemaVersion', 'lastIds', 'captured', 'clientCount'];

/** Created when the migrations have run. */
export const LAST_IDS: readonly string[] = ['journal', 'events'].map(
  (table) => `CREATE OR REPLACE TRIGGER "lastIdOf_${table}" AFTER INSERT ON ${table} REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION "noteLastId"('${table}')`,
);
