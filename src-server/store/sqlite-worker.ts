import { parentPort, workerData } from 'node:worker_threads';
import { openSqlite, type QueryOutcome } from './sqlite-connection.ts';
import type { SqliteReply, SqliteRequest } from './sqlite-protocol.ts';

/** Thread that owns one SQLite connection, so that neither a long statement nor an fsync ever holds up the event loop. */
const { file, mode } = workerData as { file: string; mode: 'readWrite' | 'readOnly' };
const port = parentPort;
if (port === null) throw new Error('sqlite-worker runs as a worker thread only');
const connection = openSqlite(file, mode);
const NOTHING: QueryOutcome = { rows: [], changes: 0, lastInsertId: 0 };

async function perform(request: SqliteRequest): Promise<QueryOutcome> {
  if (request.op === 'query') return connection.query(request.sql, request.parameters);
  if (request.op === 'batch') return connection.batch(request.sql, request.columns, request.rowCount);
  if (request.op === 'backup') await connection.backup(request.toFile);
  else if (request.op === 'checkpoint') connection.checkpoint();
  else connection.close();
  return NOTHING;
}

port.on('message', (request: SqliteRequest) => {
  perform(request).then(
    (outcome) => {
      port.postMessage({ id: request.id, ok: true, ...outcome } satisfies SqliteReply);
      if (request.op === 'close') port.close();
    },
    (error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      port.postMessage({ id: request.id, ok: false, message, code } satisfies SqliteReply);
    },
  );
});
