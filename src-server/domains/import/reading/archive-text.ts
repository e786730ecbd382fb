import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { clientPrograms, complaintOf, type ClientProgram } from '../../../store/postgres/dump/client-programs.ts';
import { SCHEMA } from '../../../store/postgres/schema/version-place.ts';
import { ImportRefusal } from './refusal.ts';

/** Entry of a table's rows in an archive's contents list. */
const OURS = new RegExp(`^\\d+; .* TABLE DATA ${SCHEMA} schemaVersion `, 'm');

/**
 * The content of a `pg_dump` archive as text: tables and rows, without indexes and rules. `pg_restore` writes it,
 * without connecting to a server.
 * @throws {ImportRefusal} if that program is missing, or cannot read the file
 */
export async function* archiveText(
  file: string,
  programs: Promise<ClientProgram[]> = clientPrograms('pg_restore'),
): AsyncGenerator<Uint8Array> {
  const newest = (await programs).at(-1);
  if (newest === undefined)
    throw new ImportRefusal(
      'This file is a PostgreSQL backup, and pg_restore, which reads it, is not installed on this machine: install the package postgresql-client (Debian, Ubuntu), then try again',
    );
  const list = await gathered(run(newest, ['--list', file]));
  const schema = OURS.test(list) ? [`--schema=${SCHEMA}`] : [];
  const sections = ['--section=pre-data', '--section=data'];
  yield* run(newest, ['--file=-', '--no-owner', '--no-privileges', ...sections, ...schema, file]);
}

async function gathered(parts: AsyncIterable<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = [];
  for await (const part of parts) all.push(part);
  return Buffer.concat(all).toString('utf8');
}

async function* run({ path, major }: ClientProgram, args: readonly string[]): AsyncGenerator<Uint8Array> {
  const child = spawn(path, args, {
    env: { ...process.env, LC_ALL: 'C' },
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  try {
    const ended = once(child, 'close') as Promise<[number | null, string | null]>;
    const errors = text(child.stderr);
    yield* child.stdout;
    const [code, signal] = await ended;
    if (code !== 0)
      throw new ImportRefusal(refusalOf(complaintOf(await errors) || `pg_restore ended with ${code ?? signal}`, major));
  } finally {
    child.kill();
  }
}

function refusalOf(complaint: string, major: number): string {
  if (complaint.includes('unsupported version'))
    return `This file cannot be imported: it was made by a newer PostgreSQL than the pg_restore of this machine (${major}). Install the postgresql-client package of that version`;
  return `Invalid or corrupt db file: ${complaint}`;
}
