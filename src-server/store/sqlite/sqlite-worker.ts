import { parentPort } from 'node:worker_threads';
import { quickCheck } from '../quick-check.ts';
import { openSqlite, type StatementResult } from './sqlite-connection.ts';
import { BEGIN, type SqliteOpening, type SqliteReply, type SqliteRequest } from './sqlite-protocol.ts';

/**
 * Thread that owns one SQLite connection, so that neither a long statement nor an fsync ever holds up the event loop.
 * The first request that needs the file opens it: until then the thread may start while the file is checked or
 * exchanged.
 */
const port = parentPort;
if (port === null) throw new Error('sqlite-worker runs as a worker thread only');
let opening: SqliteOpening = { op: 'open', file: '', mode: 'readOnly' };
let opened: ReturnType<typeof openSqlite> | null = null;
const NOTHING: StatementResult = { rows: [], changes: 0, lastInsertId: 0 };

async function perform(request: SqliteRequest): Promise<StatementResult> {
  if (request.op === 'close') {
    opened?.close();
    opened = null;
    return NOTHING;
  }
  if (request.op === 'check') {
    const complaint = quickCheck(request.file);
    return complaint === null ? NOTHING : { ...NOTHING, rows: [{ complaint }] };
  }
  const connection = (opened ??= openSqlite(opening.file, opening.mode));
  if (request.begins === true) connection.query(BEGIN, []);
  if (request.op === 'query') return connection.query(request.sql, request.parameters);
  if (request.op === 'batch') return connection.batch(request.sql, request.columns, request.rowCount);
  if (request.op === 'script') return connection.script(request.steps);
  if (request.op === 'closeEntry')
    return { ...NOTHING, lastInsertId: await connection.closeEntry(request.act, request.atMs) };
  if (request.op === 'openEntry') await connection.openEntry();
  else if (request.op === 'capture') connection.capture();
  else if (request.op === 'backup') await connection.backup(request.toFile);
  else connection.checkpoint();
  return NOTHING;
}

/**
 * Memory of the blobs in these rows, which is transferred with them: a copy would remain until this thread, which
 * allocates next to nothing, collects its garbage.
 */
function buffersOf(rows: readonly unknown[]): ArrayBuffer[] {
  const buffers: ArrayBuffer[] = [];
  for (const row of rows) {
    const blobs = Object.values(row as object).filter((value) => value instanceof Uint8Array);
    // Columns have types: where the first row has no blob, no row has.
    if (blobs.length === 0) break;
    for (const { buffer, byteLength } of blobs)
      if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffers.push(buffer);
  }
  return buffers;
}

port.on('message', (request: SqliteRequest | SqliteOpening) => {
  if (request.op === 'open') {
    opening = request;
    return;
  }
  perform(request).then(
    (result) => {
      port.postMessage({ id: request.id, ok: true, ...result } satisfies SqliteReply, buffersOf(result.rows));
      if (opening.mode === 'readWrite' && request.op === 'query' && request.sql === 'COMMIT') {
        const committed = opened;
        setImmediate(() => {
          if (opened === committed) opened?.settle();
        });
      }
    },
    (error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      port.postMessage({ id: request.id, ok: false, message, code } satisfies SqliteReply);
    },
  );
});
