import { Readable } from 'node:stream';
import type { Store } from '../../store/open-store.ts';
import type { JournalQuery } from './contract.ts';
import { entriesOf, type EntryRow } from './repository.ts';

const PAGE = 500;
const MAX_ENTRIES = 100_000;

/** The entries as a file, read while it is sent. */
export function journalFile(store: Pick<Store, 'heavyReader'>, query: JournalQuery, format: 'csv' | 'json'): Readable {
  return Readable.from(format === 'csv' ? csvOf(store, query) : jsonOf(store, query));
}

async function* pagesOf({ heavyReader }: Pick<Store, 'heavyReader'>, query: JournalQuery): AsyncGenerator<EntryRow[]> {
  for (let before = 0, sent = 0; sent < MAX_ENTRIES; sent += PAGE) {
    const rows = await entriesOf(heavyReader, query, before, PAGE);
    if (rows.length > 0) yield rows;
    if (rows.length < PAGE) return;
    before = rows.at(-1)!.id;
  }
}

async function* csvOf(store: Pick<Store, 'heavyReader'>, query: JournalQuery): AsyncGenerator<string> {
  // A byte order mark, without which spreadsheets do not detect UTF-8.
  yield '\uFEFFid,time,actor,name,address,verb,changes,undoOf,undoneBy,hash\r\n';
  for await (const rows of pagesOf(store, query))
    yield rows
      .map(({ id, atMs, actor, name, address, verb, parts, undoOf, undoneBy, hash }) =>
        [
          id,
          new Date(atMs).toISOString(),
          actor,
          name,
          address,
          verb,
          wordsOf(parts),
          undoOf || '',
          undoneBy || '',
          hash,
        ]
          .map(cell)
          .join(','),
      )
      .map((line) => `${line}\r\n`)
      .join('');
}

async function* jsonOf(store: Pick<Store, 'heavyReader'>, query: JournalQuery): AsyncGenerator<string> {
  let isFirst = true;
  yield '[';
  for await (const rows of pagesOf(store, query)) {
    for (const {
      id,
      atMs,
      actor,
      name,
      address,
      verb,
      parts,
      rowCount,
      undoOf,
      undoneBy,
      previousHash,
      hash,
    } of rows) {
      const entry = { id, at: new Date(atMs).toISOString(), actor, name, address, verb };
      const more = { parts: JSON.parse(parts) as unknown, rowCount, undoOf, undoneBy, previousHash, hash };
      yield `${isFirst ? '' : ','}\n${JSON.stringify({ ...entry, ...more })}`;
      isFirst = false;
    }
  }
  yield '\n]\n';
}

function wordsOf(parts: string): string {
  const list = JSON.parse(parts) as { kind: string; action: string; count: number; names: string[] }[];
  return list
    .map(
      ({ kind, action, count, names }) => `${count} ${kind} ${action}${names.length > 0 ? `: ${names.join(' ')}` : ''}`,
    )
    .join('; ');
}

/** Keeps spreadsheets from treating a cell that looks like a formula as one. */
function cell(value: string | number): string {
  const text = String(value);
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
