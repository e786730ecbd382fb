import { readFile } from 'node:fs/promises';
import { DomainError } from '../contract/domain-error.ts';

/** @returns the text when it is an address of PostgreSQL, else throws a sentence that names `where` it stands. */
export function postgresAddress(where: string, text: string): string {
  if (!/^postgres(?:ql)?:\/\/\S+$/.test(text))
    throw new Error(`${where} must look like postgres://user@host:5432/name`);
  return text;
}

/**
 * Where the database is: what was asked for, or `DATABASE_URL`; null = in the data folder. The password may stand in the file that
 * `DATABASE_PASSWORD_FILE` names, so that neither the list of processes nor the environment shows it.
 * @throws {DomainError} `store.badAddress`, `store.noPasswordFile`
 */
export async function databaseFrom(asked: string | null, env: NodeJS.ProcessEnv = process.env): Promise<string | null> {
  const given = asked ?? (env['DATABASE_URL'] === '' ? undefined : env['DATABASE_URL']);
  if (given === undefined) return null;
  if (!/^postgres(?:ql)?:\/\/\S+$/.test(given)) throw new DomainError('store.badAddress');
  const file = env['DATABASE_PASSWORD_FILE'];
  if (file === undefined || file === '') return given;
  let password: string;
  try {
    password = (await readFile(file, 'utf8')).replace(/\r?\n$/, '');
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    throw new DomainError('store.noPasswordFile', { file, reason }, { cause });
  }
  return withPassword(given, password);
}

/** A password that stands in the address gives way. */
function withPassword(address: string, password: string): string {
  const [, scheme, user, rest] = /^(postgres(?:ql)?:\/\/)(?:([^:@/?]*)(?::[^@/?]*)?@)?(.*)$/.exec(address)!;
  return `${scheme}${user ?? ''}:${encodeURIComponent(password)}@${rest}`;
}
