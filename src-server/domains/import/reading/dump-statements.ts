import { ImportRefusal } from './refusal.ts';
import { statementsOf, type Token } from './dump-tokens.ts';

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:E[+-]?\d+)?$/;

/**
 * The statements of a dump that are run: a dump is a program, so only what it needs is allowed. Triggers, views and
 * indexes are skipped, since only rows are imported.
 * @throws {ImportRefusal} for any other statement, named by its beginning, and when the dump is cut off
 */
export function* allowedStatements(sql: string): Generator<string> {
  let isWhole = false;
  for (const tokens of statementsOf(sql)) {
    const text = sql.slice(tokens[0]!.start, tokens.at(-1)!.end);
    const words = tokens.slice(0, 4).map(({ value }) => value);
    // The last statement of every dump: one that was cut off between two rows reads well up to there.
    isWhole = words[0] === 'COMMIT';
    if (isPassedOver(words)) continue;
    if (!isAllowed(tokens, words))
      throw new ImportRefusal(`This file cannot be imported: a dump must not contain "${text.slice(0, 60)}"`);
    yield text;
  }
  if (!isWhole) throw new ImportRefusal('Invalid or corrupt db file: its end is missing');
}

/** Does not affect the rows: the reader uses its own transaction and handles foreign keys itself. */
function isPassedOver([first, second, third]: readonly string[]): boolean {
  if (first === 'PRAGMA') return second?.toUpperCase() === 'FOREIGN_KEYS';
  if (first === 'BEGIN') return second === 'TRANSACTION';
  if (first === 'COMMIT') return second === undefined;
  if (first === 'DELETE') return second === 'FROM' && third?.toLowerCase() === 'sqlite_sequence';
  if (first !== 'CREATE') return false;
  return second === 'TRIGGER' || second === 'VIEW' || second === 'INDEX' || (second === 'UNIQUE' && third === 'INDEX');
}

function isAllowed(tokens: readonly Token[], [first, second, third, fourth]: readonly string[]): boolean {
  if (first === 'PRAGMA')
    return second === 'USER_VERSION' && third === '=' && /^\d+$/.test(fourth ?? '') && tokens.length === 4;
  if (first === 'CREATE') return second === 'TABLE' && isTable(tokens);
  return first === 'INSERT' && second === 'INTO' && isLiteralInsert(tokens);
}

/** `CREATE TABLE name (…)`: no `AS SELECT`, no internal tables of the engine, no functions in defaults or checks. */
function isTable(tokens: readonly Token[]): boolean {
  const [, , name, open] = tokens;
  if (name === undefined || !isName(name) || name.value.toLowerCase().startsWith('sqlite_')) return false;
  if (open?.value !== '(') return false;
  return !tokens.some(({ kind, value }) => kind === 'word' && (value === 'SELECT' || value.includes('LOAD_EXTENSION')));
}

/** `INSERT INTO name [(columns)] VALUES (literals)[, …]`. */
function isLiteralInsert(tokens: readonly Token[]): boolean {
  const values = tokens.findIndex(
    ({ kind, value }) => kind === 'word' && (value === 'VALUES' || value.startsWith('VALUES')),
  );
  if (values < 3 || !isName(tokens[2]!)) return false;
  const isHeadPlain = tokens.slice(3, values).every((token) => isName(token) || '(),'.includes(token.value));
  return (
    isHeadPlain &&
    tokens.slice(values + 1).every(({ kind, value }) => {
      if (kind === 'text') return true;
      if (kind === 'sign') return '(),'.includes(value);
      return kind === 'word' && (value === 'NULL' || NUMBER.test(value));
    })
  );
}

function isName({ kind, value }: Token): boolean {
  return kind === 'name' || (kind === 'word' && /^[\p{L}_][\p{L}\p{N}_]*$/u.test(value));
}
