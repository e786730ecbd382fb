import { ImportRefusal } from './refusal.ts';

/** Piece of SQL: a word or number, a text in single quotes, a quoted name, or one sign. */
export interface Token {
  kind: 'word' | 'text' | 'name' | 'sign';
  /** Words in capitals; names without their quotes; texts as written. */
  value: string;
  start: number;
  end: number;
}

const CLOSING: Readonly<Record<string, string>> = { "'": "'", '"': '"', '`': '`', '[': ']' };
const BLANK = /\s/;
const WORD = /[\p{L}\p{N}_.$+-]/u;

/**
 * Splits SQL into statements of tokens; quotes hide semicolons. A trigger, including the semicolons in its body, is one
 * statement.
 * @throws {ImportRefusal} when a quote or comment does not end.
 */
export function* statementsOf(sql: string): Generator<Token[]> {
  let tokens: Token[] = [];
  let depth = 0;
  for (let at = 0; at < sql.length;) {
    const char = sql[at]!;
    if (BLANK.test(char)) {
      at += 1;
      continue;
    }
    if (isComment(sql, at)) {
      const end = sql.indexOf('\n', at);
      at = end === -1 ? sql.length : end + 1;
      continue;
    }
    if (char === '/' && sql[at + 1] === '*') {
      const end = sql.indexOf('*/', at + 2);
      if (end === -1) throw new ImportRefusal('This file cannot be imported: a comment does not end');
      at = end + 2;
      continue;
    }
    const token = tokenAt(sql, at, char);
    at = token.end;
    if (token.kind === 'sign' && token.value === ';' && depth === 0) {
      if (tokens.length > 0) yield tokens;
      tokens = [];
      continue;
    }
    if (isTrigger(tokens) && token.kind === 'word') {
      if (token.value === 'BEGIN' || token.value === 'CASE') depth += 1;
      else if (token.value === 'END') depth -= 1;
    }
    tokens.push(token);
  }
  if (tokens.length > 0) throw new ImportRefusal('This file cannot be imported: the dump ends within a statement');
}

function isTrigger([first, second]: readonly Token[]): boolean {
  return first?.value === 'CREATE' && second?.value === 'TRIGGER';
}

function tokenAt(sql: string, start: number, char: string): Token {
  const closing = CLOSING[char];
  if (closing !== undefined) {
    const end = quoteEnd(sql, start, closing);
    const kind = char === "'" ? 'text' : 'name';
    return { kind, value: kind === 'text' ? sql.slice(start, end) : sql.slice(start + 1, end - 1), start, end };
  }
  // X'0af1': a blob.
  if ((char === 'X' || char === 'x') && sql[start + 1] === "'") {
    const end = quoteEnd(sql, start + 1, "'");
    return { kind: 'text', value: sql.slice(start, end), start, end };
  }
  if (!WORD.test(char)) return { kind: 'sign', value: char, start, end: start + 1 };
  let end = start + 1;
  while (end < sql.length && WORD.test(sql[end]!) && !isComment(sql, end)) end += 1;
  return { kind: 'word', value: sql.slice(start, end).toUpperCase(), start, end };
}

/** A comment up to the end of its line; it may begin within a word. */
function isComment(sql: string, at: number): boolean {
  return sql[at] === '-' && sql[at + 1] === '-';
}

/** Position after the closing quote; a doubled quote is a literal quote. */
function quoteEnd(sql: string, start: number, closing: string): number {
  for (let at = start + 1; ;) {
    const found = sql.indexOf(closing, at);
    if (found === -1) throw new ImportRefusal('This file cannot be imported: a quoted text does not end');
    if (sql[found + 1] !== closing || closing === ']') return found + 1;
    at = found + 2;
  }
}
