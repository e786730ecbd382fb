import { ITEM_KINDS, type ItemKind } from '../../contract/act.ts';
import { TEMPLATE_SETTINGS, type CapturedTable } from './captured-tables.ts';
import type { EntryConnection } from './entry-connection.ts';

export type Action = 'added' | 'changed' | 'deleted' | 'reset';
type Image = Record<string, string | number | null>;

/** An entry's effect on items of one kind, with the first of them by name. */
export interface EntryPart {
  kind: ItemKind;
  action: Action;
  count: number;
  names: string[];
  /** Changed columns, of the items that were only changed. */
  fields: string[];
}

/** Most names listed in an entry itself; the others are in its rows. */
const MAX_NAMES = 5;
const MAIN: Readonly<Partial<Record<ItemKind, string>>> = {
  inbound: 'inbounds',
  client: 'clients',
  host: 'hosts',
  group: 'clientGroups',
  node: 'nodes',
  token: 'apiTokens',
  webhook: 'webhooks',
  outboundSub: 'outboundSubs',
  admin: 'admins',
  bin: 'recycleBin',
  plan: 'clientPlans',
  certificate: 'certificates',
  view: 'savedViews',
  ticket: 'enrolments',
  master: 'masters',
};
const ACTIONS: readonly Action[] = ['added', 'deleted', 'reset', 'changed'];
/** When several things happened to one item, the first of these is shown. */
const WEIGHT: Readonly<Record<Action, number>> = { added: 3, deleted: 3, reset: 2, changed: 1 };

export type Parts = ReturnType<typeof createParts>;

/** Collects what an entry is about while its rows are closed. */
export function createParts(connection: EntryConnection) {
  const items = new Map<ItemKind, Map<string, Action>>();
  const names = new Map<string, string>();
  const fields = new Map<ItemKind, Set<string>>();

  function put(kind: ItemKind, item: string, action: Action): void {
    const known = items.get(kind) ?? new Map<string, Action>();
    items.set(kind, known);
    const present = known.get(item);
    if (present === undefined || WEIGHT[action] > WEIGHT[present]) known.set(item, action);
  }

  async function nameOf(kind: ItemKind, item: string): Promise<string> {
    const known = names.get(`${kind} ${item}`);
    if (known !== undefined) return known;
    const sql = NAME_SQL[kind];
    if (sql === undefined) return item;
    const [row] = (await connection.query(sql, [item])).rows as { name: string }[];
    return row?.name ?? '';
  }

  return {
    note(
      table: CapturedTable,
      rowKey: string,
      { was, is, action }: { was: Image | null; is: Image | null; action: Action },
    ): void {
      const isTemplate = table.name === 'settings' && TEMPLATE_SETTINGS.includes(rowKey);
      const kind = isTemplate ? 'template' : table.kind;
      const isMain = MAIN[kind] === table.name;
      const item = itemOf(table, rowKey, is ?? was);
      if (item === null) return;
      // A setting is one item, whether or not it had a row.
      put(kind, item, isMain ? action : 'changed');
      const name = nameIn(table, rowKey, is ?? was);
      if (isMain && name !== '' && (items.get(kind)?.size ?? 0) <= MAX_NAMES) names.set(`${kind} ${item}`, name);
      const changed = fields.get(kind) ?? new Set();
      fields.set(kind, changed);
      if ((isMain || table.name === 'clientStates') && action === 'changed')
        for (const column of Object.keys(is!))
          if (was![column] !== is![column]) changed.add(column);
          else if (!isMain) changed.add(table.name === 'settings' ? rowKey : table.name);
    },
    noteReset: (rowKey: string) => put('client', rowKey, 'reset'),
    nameIn,
    async list(): Promise<EntryPart[]> {
      const parts: EntryPart[] = [];
      for (const kind of ITEM_KINDS)
        for (const action of ACTIONS) {
          const found = [...(items.get(kind) ?? [])].filter(([, each]) => each === action).map(([item]) => item);
          if (found.length === 0) continue;
          const names: string[] = [];
          for (const item of found.slice(0, MAX_NAMES)) names.push((await nameOf(kind, item)).slice(0, 256));
          parts.push({
            kind,
            action,
            count: found.length,
            names: names.filter((name) => name !== ''),
            fields: action === 'changed' ? [...(fields.get(kind) ?? [])] : [],
          });
        }
      // Their totals are kept for clients that are gone or start over: that is no news about the group.
      const isOfClients = parts.some(({ kind, action }) => kind === 'client' && ['deleted', 'reset'].includes(action));
      const shown = isOfClients ? parts.filter(({ kind }) => kind !== 'group') : parts;
      // Created and deleted items come before those only changed with them.
      return shown.sort((a, b) => Number(a.action === 'changed') - Number(b.action === 'changed'));
    },
  };
}

const NAME_SQL: Readonly<Partial<Record<ItemKind, string>>> = {
  inbound: `SELECT iif(remark = '', tag, remark) AS name FROM inbounds WHERE id = CAST(? AS INTEGER)`,
  client: 'SELECT email AS name FROM clients WHERE id = CAST(? AS INTEGER)',
  plan: 'SELECT name FROM clientPlans WHERE id = CAST(? AS INTEGER)',
};

/** The item a row belongs to; null = it has no item. */
function itemOf({ item, keys, name }: CapturedTable, rowKey: string, image: Image | null): string | null {
  // Counters waiting for an e-mail belong to the client that was deleted with them.
  if (name === 'keptTraffics') return null;
  const at = keys.indexOf(item);
  if (at < 0) return String(image?.[item] ?? '');
  return keys.length === 1 ? rowKey : String((JSON.parse(rowKey) as (string | number)[])[at]);
}

/** The name of an item, from a row of its main table. */
function nameIn({ name }: CapturedTable, rowKey: string, image: Image | null): string {
  const text = (column: string): string => String(image?.[column] ?? '');
  switch (name) {
    case 'inbounds':
      return text('remark') || text('tag');
    case 'clients':
      return text('email');
    case 'hosts':
      return hostName(text('content')) || text('address');
    case 'admins':
      return text('username');
    case 'outboundSubs':
      return text('remark');
    case 'clientGroups':
    case 'settings':
      return rowKey;
    case 'savedViews':
      return (JSON.parse(rowKey) as string[]).at(-1) ?? '';
    default:
      return text('name');
  }
}

function hostName(content: string): string {
  try {
    const { remark } = JSON.parse(content) as { remark?: unknown };
    return typeof remark === 'string' ? remark : '';
  } catch {
    return '';
  }
}
