import { parseJsonObject } from '../../contract/json-text.ts';
import type { Json } from '../../contract/json.ts';
import { CAPTURED, COUNTERS, TEMPLATE_SETTINGS, type CapturedTable } from '../../store/journal/captured-tables.ts';
import { SECRET_KEYS, Settings } from '../settings/contract.ts';
import type { JournalField, JournalRow } from './contract.ts';
import type { ChangedRow } from './repository.ts';

type Image = Record<string, string | number | null>;
type Action = JournalRow['action'];

/** Columns that hold credentials of a client or panel: only the fact of a change is shown. */
const SECRET_COLUMNS = new Set([
  'uuid',
  'password',
  'auth',
  'subId',
  'passwordOverride',
  'apiToken',
  'secret',
  'passwordHash',
  'reverse',
]);
/** Internal values, or copies of others in the same row. */
const HIDDEN_COLUMNS = new Set([
  'emailKey',
  'nameKey',
  'searchKey',
  'createdAtMs',
  'updatedAtMs',
  'disabledBy',
  'lastSubFetchAtMs',
  'resetUpBytes',
  'resetDownBytes',
]);
const JSON_COLUMNS = new Set(['settings', 'streamSettings', 'sniffing', 'content', 'wanted', 'view']);
/** Names of members whose values are secrets, in whatever config they occur. */
const SECRET_MEMBER =
  /pass|secret|private|preshared|token|auth|seed|^(id|uuid|key|keys|user|users|accounts|clients|decryption|echserverkeys|shortids?|licen[cs]e|address|link)$/i;
const OPEN_MEMBER = /^(authority|address|noauth)$/i;
/** Most members of one config that are shown separately. */
const MAX_MEMBERS = 60;
const MAX_CHARACTERS = 300;

const isSecretMember = (path: readonly string[]): boolean =>
  path.some((name) => SECRET_MEMBER.test(name) && !OPEN_MEMBER.test(name));

/** Kinds whose name is not in every one of their rows. */
export type NamedKind = 'client' | 'inbound' | 'plan';

/** The thing that a row belongs to, for looking up its name. */
export function itemIdOf({ tableName, rowKey, before, after }: ChangedRow): { kind: NamedKind; id: number } | null {
  const part = (at: number): number => (JSON.parse(rowKey) as number[])[at]!;
  const member = (name: string): number => Number((parseJsonObject(before ?? after ?? '') ?? {})[name] ?? 0);
  switch (tableName) {
    case 'clients':
    case 'clientStates':
    case 'clientMailStops':
    case COUNTERS:
      return { kind: 'client', id: Number(rowKey) };
    case 'clientInbounds':
      return { kind: 'client', id: part(0) };
    case 'peerTotals':
      return { kind: 'client', id: part(1) };
    case 'clientExternalLinks':
      return { kind: 'client', id: member('clientId') };
    case 'inbounds':
      return { kind: 'inbound', id: Number(rowKey) };
    case 'inboundFallbacks':
      return { kind: 'inbound', id: member('masterId') };
    case 'clientPlans':
      return { kind: 'plan', id: Number(rowKey) };
    case 'clientPlanInbounds':
      return { kind: 'plan', id: part(0) };
    default:
      return null;
  }
}

/** The inbound to which a row attaches a client or a plan; null = it attaches nothing. */
export function attachedInbound({ tableName, rowKey }: ChangedRow): number | null {
  const isAttachment = tableName === 'clientInbounds' || tableName === 'clientPlanInbounds';
  return isAttachment ? (JSON.parse(rowKey) as number[])[1]! : null;
}

/** A row as readable fields, without secrets. @param nameOf returns the name of a thing */
export function showRow(row: ChangedRow, nameOf: (kind: NamedKind, id: number) => string): JournalRow {
  const before = row.before === null ? null : (JSON.parse(row.before) as Image);
  const after = row.after === null ? null : (JSON.parse(row.after) as Image);
  const table = CAPTURED.find(({ name }) => name === row.tableName);
  const item = itemIdOf(row);
  const isTemplate = TEMPLATE_SETTINGS.includes(row.rowKey) && row.tableName === 'settings';
  const subject =
    item === null ? namedIn(row, before ?? after) : nameOf(item.kind, item.id) || namedIn(row, before ?? after);
  return {
    kind: isTemplate ? 'template' : (table?.kind ?? 'client'),
    subject,
    table: row.tableName,
    action: actionOf(row, before, after),
    fields: table === undefined ? counterFields(before, after) : fieldsOf(table, row, [before, after], nameOf),
  };
}

function actionOf({ tableName }: ChangedRow, before: Image | null, after: Image | null): Action {
  if (tableName === COUNTERS) return 'reset';
  return before === null ? 'added' : after === null ? 'deleted' : 'changed';
}

function namedIn({ tableName, rowKey }: ChangedRow, image: Image | null): string {
  const text = (column: string): string => String(image?.[column] ?? '');
  if (tableName === 'clients') return text('email');
  if (tableName === 'inbounds') return text('remark') || text('tag');
  if (tableName === 'hosts') return hostName(text('content')) || text('address');
  if (tableName === 'admins') return text('username');
  if (tableName === 'savedViews') return (JSON.parse(rowKey) as string[]).at(-1) ?? '';
  return text('name') || text('remark') || rowKey;
}

function hostName(content: string): string {
  const remark = parseJsonObject(content)?.['remark'];
  return typeof remark === 'string' ? remark : '';
}

const counterFields = (before: Image | null, after: Image | null): JournalField[] =>
  ['upBytes', 'downBytes'].map((name) => open(name, before?.[name] ?? null, after?.[name] ?? null));

function fieldsOf(
  table: CapturedTable,
  row: ChangedRow,
  [before, after]: readonly [Image | null, Image | null],
  nameOf: (kind: NamedKind, id: number) => string,
): JournalField[] {
  if (table.name === 'settings') return settingFields(row.rowKey, before?.['value'] ?? null, after?.['value'] ?? null);
  const inboundId = attachedInbound(row);
  if (inboundId !== null) {
    const name = nameOf('inbound', inboundId);
    const inbound = name === '' ? `#${inboundId}` : `${name} (#${inboundId})`;
    const attached = open('inboundId', before === null ? null : inbound, after === null ? null : inbound);
    return before === null || after === null ? [attached] : [...valuesOf(table, before, after)];
  }
  return valuesOf(table, before, after);
}

function valuesOf(table: CapturedTable, before: Image | null, after: Image | null): JournalField[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...names].flatMap((name): JournalField[] => {
    if (HIDDEN_COLUMNS.has(name)) return [];
    const [was, is] = [before?.[name] ?? null, after?.[name] ?? null];
    // For an added or deleted row, empty values are not a change.
    if (was === is || (before === null && isNothing(is)) || (after === null && isNothing(was))) return [];
    if (JSON_COLUMNS.has(name)) return membersOf(name, was, is);
    const isSecret =
      SECRET_COLUMNS.has(name) ||
      table.masked?.[name] !== undefined ||
      (table.name === 'clientExternalLinks' && name === 'value');
    return [isSecret ? secret(name, was, is) : open(name, was, is)];
  });
}

const isNothing = (value: string | number | null): boolean => value === '' || value === 0 || value === null;

function settingFields(key: string, was: string | number | null, is: string | number | null): JournalField[] {
  if (key === 'coreTemplateConfig') return membersOf('', was, is);
  const isShown =
    (key in Settings.shape || TEMPLATE_SETTINGS.includes(key)) && !(SECRET_KEYS as readonly string[]).includes(key);
  return [isShown ? open(key, was, is) : secret(key, was, is)];
}

const cut = (value: string | number | null): string | number | null =>
  typeof value === 'string' && value.length > MAX_CHARACTERS ? `${value.slice(0, MAX_CHARACTERS)}…` : value;
const open = (name: string, before: string | number | null, after: string | number | null): JournalField => ({
  name,
  before: cut(before),
  after: cut(after),
  isSecret: false,
});
/** Shows only whether a value existed before and after. */
const secret = (name: string, before: unknown, after: unknown): JournalField => ({
  name,
  before: before === null || before === '' ? null : '•••',
  after: after === null || after === '' ? null : '•••',
  isSecret: true,
});

/** Members that differ between two JSON texts, by path. */
function membersOf(name: string, was: string | number | null, is: string | number | null): JournalField[] {
  const fields: JournalField[] = [];
  compare(name === '' ? [] : [name], parsed(was), parsed(is), fields);
  return fields;
}

const parsed = (text: string | number | null): Json | undefined =>
  typeof text !== 'string' || text === '' ? undefined : (parseJsonObject(text) ?? text);

function compare(path: readonly string[], was: Json | undefined, is: Json | undefined, into: JournalField[]): void {
  if (into.length >= MAX_MEMBERS || JSON.stringify(was) === JSON.stringify(is)) return;
  if (isNested(was) || isNested(is)) {
    const [a, b] = [membersIn(was), membersIn(is)];
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) compare([...path, key], a[key], b[key], into);
    return;
  }
  const name = path.join('.');
  const text = (value: Json | undefined): string | number | null =>
    value === undefined || value === null
      ? null
      : typeof value === 'object'
        ? null
        : typeof value === 'boolean'
          ? String(value)
          : value;
  into.push(isSecretMember(path.slice(1)) ? secret(name, text(was), text(is)) : open(name, text(was), text(is)));
}

const isNested = (value: Json | undefined): boolean => typeof value === 'object' && value !== null;
const membersIn = (value: Json | undefined): Record<string, Json | undefined> =>
  isNested(value) ? (value as Record<string, Json>) : {};
