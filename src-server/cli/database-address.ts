import { readFile } from 'node:fs/promises';
import { DomainError } from '../contract/domain-error.ts';

/** @returns the text when it is a PostgreSQL address; otherwise throws a sentence that names `where` it was given. */
export function postgresAddress(where: string, text: string): string {
  if (!/^postgres(?:ql)?:\/\/\S+$/.test(text))
    throw new Error(`${where} must look like postgres://user@host:5432/name`);
  return text;
}

/**
 * Where the database is: the given address, or `DATABASE_URL`; null = in the data folder. Where that is a pooler,
 * `DATABASE_URL_DIRECT` names the server itself. The password may be in the file that `DATABASE_PASSWORD_FILE` names,
 * so that neither the process list nor the environment shows it.
 * @throws {DomainError} `store.badAddress`, `store.noPasswordFile`
 */
export function databaseFrom(option: string | null, env: NodeJS.ProcessEnv = process.env): Promise<string | null> {
  const address = directFrom(option, env) ?? option ?? given(env, 'DATABASE_URL');
  return withFile(address, given(env, 'DATABASE_PASSWORD_FILE'));
}

/**
 * The pooler in front of the database: the given address, when the server itself is named as well; null = there is
 * none.
 * @throws {DomainError} as {@link databaseFrom}
 */
export async function poolerFrom(option: string | null, env: NodeJS.ProcessEnv = process.env): Promise<string | null> {
  if (directFrom(option, env) === null) return null;
  return await withFile(option ?? given(env, 'DATABASE_URL'), given(env, 'DATABASE_PASSWORD_FILE'));
}

/**
 * Where a subscription server reads: `DATABASE_URL_READ`, for instance a replica; null = where it writes. Its password
 * may be in `DATABASE_READ_PASSWORD_FILE`, else in the other server's file.
 * @throws {DomainError} `store.badAddress`, `store.noPasswordFile`
 */
export function replicaFrom(env: NodeJS.ProcessEnv = process.env): Promise<string | null> {
  const file = given(env, 'DATABASE_READ_PASSWORD_FILE') ?? given(env, 'DATABASE_PASSWORD_FILE');
  return withFile(given(env, 'DATABASE_URL_READ'), file);
}

/**
 * The database of another panel. Its password is in the file that `IMPORT_PASSWORD_FILE` names, or in `PGPASSWORD`.
 * @throws {DomainError} `store.badAddress`, `store.noPasswordFile`, `import.passwordShows`
 */
export async function otherDatabaseFrom(address: string, env: NodeJS.ProcessEnv = process.env): Promise<string> {
  if (/^[^/]*\/\/[^@/?]*:[^@/?]+@/.test(address) || /[?&]password=/.test(address))
    throw new DomainError('import.passwordShows');
  return (await withFile(address, given(env, 'IMPORT_PASSWORD_FILE')))!;
}

/** The server behind the pooler; beside another address than its own, `DATABASE_URL_DIRECT` leads to another database. */
function directFrom(option: string | null, env: NodeJS.ProcessEnv): string | null {
  const usual = given(env, 'DATABASE_URL');
  const address = option ?? usual;
  const isOther = usual !== null && address !== usual;
  return address === null || isOther ? null : given(env, 'DATABASE_URL_DIRECT');
}

/** An empty variable counts as not set. */
const given = (env: NodeJS.ProcessEnv, name: string): string | null => (env[name] === '' ? null : (env[name] ?? null));

async function withFile(address: string | null, file: string | null): Promise<string | null> {
  if (address === null) return null;
  if (!/^postgres(?:ql)?:\/\/\S+$/.test(address)) throw new DomainError('store.badAddress');
  if (file === null) return address;
  let password: string;
  try {
    password = (await readFile(file, 'utf8')).replace(/\r?\n$/, '');
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    throw new DomainError('store.noPasswordFile', { file, reason }, { cause });
  }
  return withPassword(address, password);
}

/** The file wins over a password in the address. */
function withPassword(address: string, password: string): string {
  const [, scheme, user, rest] = /^(postgres(?:ql)?:\/\/)(?:([^:@/?]*)(?::[^@/?]*)?@)?(.*)$/.exec(address)!;
  return `${scheme}${user ?? ''}:${encodeURIComponent(password)}@${rest}`;
}
