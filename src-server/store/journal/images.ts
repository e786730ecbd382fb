import { CAPTURED, type CapturedTable } from './captured-tables.ts';

/** Every column of a row that an image contains; its key is stored beside it. */
export const imageColumns = ({ values, sums = [], carried = [] }: CapturedTable): string[] => [
  ...values,
  ...sums,
  ...carried,
];

/** SQL of a row's image as JSON. @param row name of the row in SQL: `OLD`, `NEW` or an alias */
export function imageOf(table: CapturedTable, row: string): string {
  const members = imageColumns(table).map((column) => {
    const masked = table.masked?.[column]?.replaceAll('ROW.', `${row}.`);
    return `'${column}', ${masked ?? `${row}.${column}`}`;
  });
  return `json_object(${members.join(', ')})`;
}

/** SQL of the key by which an entry names a row. */
export function rowKeyOf({ keys }: CapturedTable, row: string): string {
  const [first] = keys;
  if (keys.length === 1) return `CAST(${row}.${first} AS TEXT)`;
  return `json_array(${keys.map((key) => `${row}.${key}`).join(', ')})`;
}

/** SQL that finds the row an entry refers to. @param entryRow alias of `journalRows` */
export function isRow(table: CapturedTable, row: string, entryRow: string): string {
  return table.keys.map((key, at) => `${row}.${key} = ${keyPart(table, at, entryRow)}`).join(' AND ');
}

/** SQL of one column of the key, with the column's type. */
export function keyPart({ keys, isNamed = false, name }: CapturedTable, at: number, entryRow: string): string {
  const whole = `${entryRow}.rowKey`;
  if (keys.length > 1) return `CAST(json_extract(${whole}, '$[${at}]') AS ${typeOfColumn(keys[at]!)})`;
  const isText = isNamed && name !== 'clientMailStops';
  return isText ? whole : `CAST(${whole} AS INTEGER)`;
}

/** Columns of captured tables that hold numbers. */
const NUMBERS =
  /^(?:id|.*(?<!sub|group|server)Id|.*[aA]tMs|.*Bytes|resetDays?|days|startsAtFirstUse|enabled?|port|limitIp|xver|sort(?:Order|Index))$/;

/** Type of a column, for values read from an image. */
export const typeOfColumn = (column: string): 'INTEGER' | 'TEXT' => (NUMBERS.test(column) ? 'INTEGER' : 'TEXT');

/**
 * Triggers that record the rows of an open entry as they were before it, whatever statement changes them. Temporary, so
 * that they belong to this connection: the columns they name are those that this program knows. They keep the first
 * image of each row; its final state is read when the entry is closed.
 */
export function captureStatements(): string[] {
  return [
    'CREATE TEMP TABLE IF NOT EXISTS openEntry (id INTEGER PRIMARY KEY)',
    ...CAPTURED.flatMap((table) => triggersOf(table)),
  ];
}

function triggersOf(table: CapturedTable): string[] {
  const { name, keys, isNamed = false, isSide = false, unless, watched = table.values } = table;
  const whenCaptured = (row: string): string =>
    `WHEN EXISTS (SELECT 1 FROM openEntry)${unless === undefined ? '' : ` AND NOT (${unless.replaceAll('ROW.', `${row}.`)})`}`;
  const note = (row: string, image: string): string =>
    `INSERT INTO journalRows (entryId, tableName, rowKey, before)
     SELECT id, '${name}', ${rowKeyOf(table, row)}, ${image} FROM openEntry WHERE true ON CONFLICT DO NOTHING;`;
  const triggers = [
    `CREATE TEMP TRIGGER ${name}Dropped AFTER DELETE ON main.${name} ${whenCaptured('OLD')} BEGIN ${note('OLD', imageOf(table, 'OLD'))} END`,
  ];
  // Reports of other panels come and go by themselves; only an action that drops them records it.
  if (isSide) return triggers;
  // A row with this key may already exist: then this is a change, or a replacement that fires nothing else.
  const present = `(SELECT ${imageOf(table, 'present')} FROM ${name} AS present
    WHERE ${keys.map((key) => `present.${key} = NEW.${key}`).join(' AND ')})`;
  triggers.push(
    isNamed
      ? `CREATE TEMP TRIGGER ${name}Added BEFORE INSERT ON main.${name} ${whenCaptured('NEW')} BEGIN ${note('NEW', present)} END`
      : `CREATE TEMP TRIGGER ${name}Added AFTER INSERT ON main.${name} ${whenCaptured('NEW')} BEGIN ${note('NEW', 'NULL')} END`,
  );
  if (watched.length > 0) {
    const renamed = keys.some((key) => watched.includes(key)) ? note('NEW', 'NULL') : '';
    triggers.push(
      `CREATE TEMP TRIGGER ${name}Changed AFTER UPDATE OF ${watched.join(', ')} ON main.${name} ${whenCaptured('OLD')}
       BEGIN ${note('OLD', imageOf(table, 'OLD'))} ${renamed} END`,
    );
  }
  return triggers;
}
