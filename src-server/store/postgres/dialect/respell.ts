/**
 * Statements of the panel are written once, in SQLite's SQL. PostgreSQL accepts nearly all of it; the rest is
 * translated here, token by token, and cached by its text: names in mixed case are quoted, placeholders are numbered, a
 * few functions have another name. Nothing here looks at values.
 */
const MAX_KNOWN = 2_000;
const known = new Map<string, string>();

export function respell(text: string): string {
  const found = known.get(text);
  if (found !== undefined) return found;
  const spelling = respellAnew(text);
  if (known.size >= MAX_KNOWN) known.delete(known.keys().next().value!);
  known.set(text, spelling);
  return spelling;
}

const TOKEN =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\$\d+|[A-Za-z_][A-Za-z0-9_]*|\d+(?:\.\d+)?|\s+|<>|<=|>=|\|\||->>|->|::|[^\s]/g;
const WORD = /^[A-Za-z_]/;
const MIXED_CASE = /^[a-z].*[A-Z]/;

function respellAnew(text: string): string {
  const tokens = text.match(TOKEN) ?? [];
  const isTable = /^\s*(?:create\s+(?:temp(?:orary)?\s+)?table|alter\s+table)\b/i.test(text);
  return (isTable ? asTable : (plain: string) => plain)(new Spelling(tokens).whole());
}

/** Functions whose calls are written differently; their arguments are already translated. */
const CALLS: Readonly<Record<string, (args: string[]) => string | null>> = {
  iif: ([test, yes, no]) => `CASE WHEN ${test} THEN ${yes} ELSE ${no} END`,
  instr: ([text, part]) => `strpos(${text}, ${part})`,
  max: (args) => (args.length > 1 ? `greatest(${args.join(', ')})` : null),
  min: (args) => (args.length > 1 ? `least(${args.join(', ')})` : null),
  json: ([text]) => `CAST(${text} AS json)`,
  json_quote: ([value]) => `to_json(${value!.startsWith("'") ? `CAST(${value} AS text)` : value})`,
  group_concat: (args) => `string_agg(${args.join(', ')})`,
  char: (args) => `chr(${args.join(', ')})`,
  json_object: (args) => `json_build_object(${args.join(', ')})`,
  // Without spaces, as SQLite writes it: row keys are compared as texts.
  json_array: (args) => `('[' || ${args.map((one) => `CAST(to_json(${one}) AS text)`).join(` || ',' || `)} || ']')`,
  json_each: ([list]) => `each_text(${list})`,
  json_extract: ([json, path]) => jsonMember(json!, path!),
  json_type: ([json, path]) =>
    `json_kind(${path === undefined ? `CAST(${json} AS json)` : jsonMember(json!, path, '->')})`,
  json_remove: ([json, ...paths]) =>
    `CAST(CAST(${json} AS jsonb)${paths.map((path) => ` - ${path.replace('$.', '')}`).join('')} AS text)`,
  strftime: ([format, moment]) => (format === `'%s'` && moment === `'now'` ? 'floor(extract(epoch FROM now()))' : null),
  json_group_array: ([value]) => `coalesce(json_agg(${value}), '[]')`,
  substr: ([text, from, ...rest]) =>
    /^-\d+$/.test(from!) && rest.length === 0 ? `right(${text}, ${from!.slice(1)})` : null,
  cast: ([inner]) =>
    / AS BLOB$/i.test(inner!)
      ? `convert_to(CAST(${inner!.replace(/ AS BLOB$/i, ' AS text')}), 'UTF8')`
      : `CAST(${inner!.replace(/ AS INTEGER$/i, ' AS bigint').replace(/ AS REAL$/i, ' AS double precision')})`,
};

/** A member or an element, as text: callers that need a number use CAST. */
function jsonMember(json: string, path: string, arrow = '->>'): string {
  const [, index, name] = /^'\$(?:\[(\d+)\]|\.(\w+))'$/.exec(path) ?? [];
  if (index === undefined && name === undefined) throw new Error(`no spelling for the path ${path}`);
  return `(CAST(${json} AS json) ${arrow} ${index ?? `'${name}'`})`;
}

class Spelling {
  private at = 0;
  private placeholders = 0;
  private unnamed = 0;
  private readonly tokens: readonly string[];
  constructor(tokens: readonly string[]) {
    this.tokens = tokens;
  }

  whole(): string {
    return this.until([]).text;
  }

  /** Translates up to one of these tokens on this level of parentheses. */
  private until(ends: readonly string[]): { text: string; end: string } {
    let text = '';
    while (this.at < this.tokens.length) {
      const token = this.tokens[this.at]!;
      if (ends.includes(token)) {
        this.at += 1;
        return { text: text.trim(), end: token };
      }
      text += this.next();
    }
    return { text, end: '' };
  }

  private next(): string {
    const token = this.tokens[this.at++]!;
    if (token === '?') return `$${++this.placeholders}`;
    if (token === '(') return this.parentheses();
    if (token === '+' && this.isSign()) return '';
    if (!WORD.test(token)) return token;
    if (token === 'temp' && this.tokens[this.at] === '.') return 'pg_temp';
    if (/^indexed$/i.test(token) && this.isWord(1, 'by')) {
      // INDEXED BY name
      this.at += 4;
      return '';
    }
    if (/^cross$/i.test(token) && this.isWord(1, 'join') && this.hasCondition()) return '';
    if (/^is$/i.test(token)) return this.comparison(token);
    const call = this.tokens[this.at] === '(' ? CALLS[token.toLowerCase()] : undefined;
    if (call !== undefined) return this.call(token, call);
    return MIXED_CASE.test(token) ? `"${token}"` : token;
  }

  /** SQLite needs no name for a subquery in FROM. */
  private parentheses(): string {
    const isTable = /^(?:from|join)$/i.test(this.wordBefore(this.at - 1));
    const text = `(${this.until([')']).text})`;
    if (!isTable) return text;
    const next = this.tokens.slice(this.at).find((token) => /\S/.test(token)) ?? ')';
    const isNamed = WORD.test(next) && !/^(?:where|group|order|limit|union|on|join|cross|left|inner)$/i.test(next);
    return isNamed ? text : `${text} AS unnamed_${++this.unnamed}`;
  }

  /** The last token before this place that is not a space. */
  private wordBefore(place: number): string {
    for (let at = place - 1; at >= 0; at--) if (/\S/.test(this.tokens[at]!)) return this.tokens[at]!;
    return '';
  }

  private call(name: string, spell: (args: string[]) => string | null): string {
    this.at += 1;
    const args: string[] = [];
    for (;;) {
      const { text, end } = this.until([',', ')']);
      args.push(text);
      if (end !== ',') break;
    }
    return spell(args) ?? `${name}(${args.join(', ')})`;
  }

  /** A plus sign before a column keeps SQLite from using its index. */
  private isSign(): boolean {
    return /^(?:and|or|where|on|not|select|when|then|else|by|[(,=<>])?$/i.test(this.wordBefore(this.at - 1));
  }

  /** SQLite uses IS to compare values that may be null. */
  private comparison(token: string): string {
    const isNegated = this.isWord(1, 'not');
    const other = this.tokens[this.at + (isNegated ? 3 : 1)]?.toLowerCase() ?? '';
    if (['null', 'true', 'false', 'distinct', 'not', 'unknown'].includes(other)) return token;
    if (!isNegated) return 'IS NOT DISTINCT FROM';
    this.at += 2;
    return 'IS DISTINCT FROM';
  }

  /** Whether the token after `skipped` spaces is this word. */
  private isWord(skipped: number, word: string): boolean {
    return this.tokens[this.at + skipped]?.toLowerCase() === word;
  }

  /** SQLite accepts a condition with CROSS JOIN, and then keeps the order of the tables. */
  private hasCondition(): boolean {
    let depth = 0;
    for (let at = this.at + 2; at < this.tokens.length; at++) {
      const token = this.tokens[at]!.toLowerCase();
      if (token === '(') depth += 1;
      if (token === ')' && --depth < 0) return false;
      if (depth > 0) continue;
      if (token === 'on') return true;
      if (['join', 'where', 'group', 'order', 'union', 'cross', 'left', ','].includes(token)) return false;
    }
    return false;
  }
}

/**
 * Column types of a new table or column. Texts compare byte by byte, as in SQLite. A temporary table is emptied by each
 * commit: no vacuum reaches it, and the space of rows deleted one by one is never reused.
 */
function asTable(text: string): string {
  const table = text
    .replaceAll(
      /\binteger\s+(?:not\s+null\s+)?primary\s+key\s+autoincrement\b/gi,
      'bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY',
    )
    .replaceAll(/(?<!")\binteger\b/gi, 'bigint')
    .replaceAll(/(?<!")\btext\b/gi, 'text COLLATE "C"')
    .replaceAll(/\bblob\b/gi, 'bytea')
    .replaceAll(/\breal\b/gi, 'double precision')
    .replace(/\)\s*(?:strict|without\s+rowid)(?:\s*,\s*(?:strict|without\s+rowid))?\s*$/i, ')');
  return /^\s*create\s+temp/i.test(text) ? `${table} ON COMMIT DELETE ROWS` : table;
}
