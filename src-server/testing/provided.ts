import 'vitest';

/** What `prepare-panel.ts` makes for the tests of a run. */
declare module 'vitest' {
  interface ProvidedContext {
    preparedFolder: string;
    /** A database with the schema and no rows. */
    emptyDatabase: string;
    /** Administrative address of the server with the databases `prepared` and `empty`, and its client; null = files. */
    postgres: { url: string; psql: string } | null;
  }
}
