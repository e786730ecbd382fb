import type { JournalEntry, JournalRow } from '../../domains/journal/contract.ts';
import type { Db } from '../../store/schema.ts';

/** A panel as the random changes see it. */
export interface Target {
  db: Db;
  read<T>(path: string): Promise<T>;
  post: Post;
}
/** Null = there was no response: the panel was killed. */
type Post = (path: string, body?: object) => Promise<{ success: boolean; msg: string } | null>;

const GROUPS = ['', 'g', 'h'];
/** The steps, with numbers that choose among the existing items. */
export type Step = readonly [kind: number, x: number, y: number, z: number];
/** Largest of the first numbers of a step. */
export const MAX_KIND = 31;
const MOVES = 20;

const pick = <T>(list: readonly T[], n: number): T => list[n % list.length]!;
const some = <T>(list: readonly T[], n: number): T[] => list.filter((_, at) => ((n >> (at % 16)) & 1) === 1);
const uuidOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

/**
 * A call that names its item: ids differ between the two panels, and a name is never reused.
 * @param altered columns that it altered the first time; absent = this is the first time
 */
type Call = (
  panel: Target,
  altered?: ReadonlySet<string>,
) => Promise<readonly [path: string, body?: object & { emails?: string[] }] | null>;
/** The items that exist before a step. */
interface There {
  emails: string[];
  ports: number[];
  addresses: string[];
  plans: string[];
}

async function thereIn({ db }: Target): Promise<There> {
  const clients = await db.selectFrom('clients').select('email').orderBy('id').execute();
  const inbounds = await db.selectFrom('inbounds').select('port').orderBy('id').execute();
  const hosts = await db.selectFrom('hosts').select('address').orderBy('id').execute();
  const plans = await db.selectFrom('clientPlans').select('name').orderBy('id').execute();
  return {
    emails: clients.map(({ email }) => email),
    ports: inbounds.map(({ port }) => port),
    addresses: hosts.map(({ address }) => address),
    plans: plans.map(({ name }) => name),
  };
}
async function inboundId({ db }: Target, port: number): Promise<number | null> {
  const row = await db.selectFrom('inbounds').select('id').where('port', '=', port).executeTakeFirst();
  return row?.id ?? null;
}
async function hostId({ db }: Target, address: string): Promise<number | null> {
  const row = await db.selectFrom('hosts').select('id').where('address', '=', address).executeTakeFirst();
  return row?.id ?? null;
}
/**
 * Values of an update that were there already: an undo left them alone, and what set them, or changed them since, counts.
 */
async function unaltered({ db }: Target, email: string, altered: ReadonlySet<string>): Promise<object> {
  const row = await db
    .selectFrom('clients')
    .innerJoin('clientStates', 'clientStates.clientId', 'clients.id')
    .select(['groupName', 'quotaBytes'])
    .where('email', '=', email)
    .executeTakeFirst();
  return {
    ...(row !== undefined && !altered.has('groupName') && { group: row.groupName }),
    ...(row !== undefined && !altered.has('quotaBytes') && { totalGB: row.quotaBytes }),
  };
}
const vless = (port: number, remark: string) => ({
  port,
  protocol: 'vless',
  remark,
  settings: { decryption: 'none', encryption: 'none' },
  streamSettings: { network: 'tcp', security: 'none' },
});

function callOf(
  [kind, x, y, z]: Step,
  n: number,
  { there, firstPort }: { there: There; firstPort: number },
): Call | null {
  const isEmpty = there.emails.length === 0;
  const email = isEmpty ? '' : pick(there.emails, x);
  const emails = some(there.emails, y);
  const port = there.ports.length === 0 ? 0 : pick(there.ports, y);
  const onPort =
    (make: (id: number) => readonly [string, object?]): Call =>
    async (panel) => {
      const id = await inboundId(panel, port);
      return id === null ? null : make(id);
    };
  const plan = there.plans.length === 0 ? '' : pick(there.plans, x);
  const onPlan =
    (make: (id: number) => readonly [string, object]): Call =>
    async ({ db }) => {
      const row = await db.selectFrom('clientPlans').select('id').where('name', '=', plan).executeTakeFirst();
      return row === undefined ? null : make(row.id);
    };
  const client = {
    email: `c${n}`,
    id: uuidOf(n),
    subId: `sub-${n}`,
    totalGB: 1_000_000 + z,
    group: pick(GROUPS, z),
    comment: `c${n}`,
  };
  switch (kind) {
    case 0:
    case 1:
    case 2:
      return onPort((id) => ['/clients/add', { client, inboundIds: [id] }]);
    case 3:
      return async (panel, altered) => [
        `/clients/update/${email}`,
        { ...client, email, ...(altered === undefined ? {} : await unaltered(panel, email, altered)) },
      ];
    case 4:
      return async () => [`/clients/updateTraffic/${email}`, { upload: z, download: y % 1_000 }];
    case 5:
      return async () => [`/clients/del/${email}${z % 3 === 0 ? '?keepTraffic=1' : ''}`];
    case 6:
      return async () => ['/clients/bulkAdjust', { emails, addBytes: z + 1 }];
    case 7:
      return async () => [`/clients/${z % 2 === 0 ? 'bulkEnable' : 'bulkDisable'}`, { emails }];
    case 8:
      return async () => ['/clients/bulkResetTraffic', { emails }];
    case 9:
      return async () => ['/clients/bulkDel', { emails: emails.slice(0, 2) }];
    case 10:
      return onPort((id) => [`/clients/${email}/attach`, { inboundIds: [id] }]);
    case 11:
      return onPort((id) => [`/clients/${email}/detach`, { inboundIds: [id] }]);
    case 12:
      return async () => (there.ports.length > 4 ? null : ['/inbounds/add', vless(firstPort + n, `r${n}`)]);
    case 13:
      return onPort((id) => [`/inbounds/update/${id}`, { ...vless(port, `r${n}`), total: z }]);
    case 14:
      return onPort((id) =>
        z % 4 === 0 ? [`/inbounds/del/${id}`] : [`/inbounds/setEnable/${id}`, { enable: z % 2 === 0 }],
      );
    case 15:
      return onPort((id) => ['/hosts/add', { inboundId: id, remark: `h${n}`, address: `h${n}.example`, port: 0 }]);
    case 16:
      return async (panel) => {
        const id = there.addresses.length === 0 ? null : await hostId(panel, pick(there.addresses, x));
        return id === null ? null : [`/hosts/${y % 3 === 0 ? 'del' : 'setEnable'}/${id}`, { enable: y % 3 === 1 }];
      };
    case 17:
      return async () => ['/clients/groups/bulkAdd', { emails, group: pick(['g', 'h'], z) }];
    case 18:
      return async () => ['/clients/groups/bulkRemove', { emails }];
    case 19:
      return async () => ['/setting/update', { [pick(['pageSize', 'expireDiff'], x)]: 1 + (z % 90) }];
    case 29:
      return async () => ['/plans/add', { name: `p${n}`, quotaBytes: 2_000_000 + z, group: pick(GROUPS, x) }];
    // A value that a change did not alter still depends on the change that set it before; a replay would set it itself.
    case 30:
      return onPlan((id) => [`/plans/apply/${id}`, { emails, parts: [] }]);
    case 31:
      return onPlan((id) => (z % 3 === 0 ? [`/plans/del/${id}`, {}] : [`/plans/apply/${id}`, { emails, parts: [] }]));
    default:
      return null;
  }
}

/** Everything that operators see, with names in place of ids. */
export async function seen(panel: Target): Promise<unknown> {
  const { db } = panel;
  const inbounds = await db.selectFrom('inbounds').selectAll().execute();
  const portOf = new Map(inbounds.map(({ id, port }) => [id, port]));
  const links = await db.selectFrom('clientInbounds').selectAll().execute();
  const clients = await db
    .selectFrom('clients')
    .innerJoin('clientStates', 'clientStates.clientId', 'clients.id')
    .selectAll()
    .execute();
  const plans = await db.selectFrom('clientPlans').selectAll().execute();
  const hosts = await db.selectFrom('hosts').selectAll().execute();
  const settings = await db.selectFrom('settings').selectAll().where('key', 'in', ['pageSize', 'expireDiff']).execute();
  const groups = await panel.read<{ name: string; clientCount: number }[]>('/clients/groups');
  const byText = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
  return {
    inbounds: inbounds.map(({ id: _id, createdAtMs: _c, updatedAtMs: _u, ...row }) => row).sort(byText),
    clients: clients
      .map(({ id, clientId: _client, createdAtMs: _c, updatedAtMs: _u, lastOnlineAtMs: _l, planId, ...row }) => ({
        ...row,
        plan: plans.find((plan) => plan.id === planId)?.name ?? '',
        on: links
          .filter(({ clientId }) => clientId === id)
          .map(({ inboundId, flowOverride, passwordOverride }) => [
            portOf.get(inboundId),
            flowOverride,
            passwordOverride,
          ])
          .sort(byText),
      }))
      .sort(byText),
    plans: plans.map(({ id: _id, createdAtMs: _c, updatedAtMs: _u, ...row }) => row).sort(byText),
    hosts: hosts
      .map(({ id: _id, groupId: _g, createdAtMs: _c, updatedAtMs: _u, inboundId, ...row }) => ({
        ...row,
        on: portOf.get(inboundId),
      }))
      .sort(byText),
    settings: settings.sort(byText),
    // An empty group is just a name, and a group keeps the traffic of members that an undo removed.
    groups: groups.flatMap(({ name, clientCount }) => (clientCount > 0 ? [{ name, clientCount }] : [])).sort(byText),
  };
}

const latest = async (panel: Pick<Target, 'read'>): Promise<JournalEntry[]> =>
  (await panel.read<{ entries: JournalEntry[] }>('/journal/list?limit=200')).entries;

type Done = {
  entryId: number;
  madeAt: number;
  path: string;
  /** The values that it altered, each as its table, subject and column. */
  values: ReadonlySet<string>;
  stands: boolean;
  redo: (on: Target) => Promise<unknown>;
};

interface Options {
  /** For inbounds that are created. */
  firstPort: number;
  /** Bytes that a client moves: not in any journal, and never undone. Left out = none are moved. */
  move?: (on: Target, email: string, bytes: number) => Promise<void>;
}

/** Random changes and undos, and the same without the undone changes, on another panel. */
export function createRandomChanges(panel: Target, { firstPort, move }: Options) {
  const done: Done[] = [];
  const counts = { undone: 0, refused: 0, changed: 0 };

  async function moveBytes(email: string, bytes: number, n: number): Promise<void> {
    if (move === undefined) return;
    await move(panel, email, bytes);
    done.push({
      entryId: 0,
      madeAt: n,
      path: '',
      values: new Set(),
      stands: true,
      redo: (on) => move(on, email, bytes),
    });
  }

  /** Mostly recent changes, and now and then an undo itself. */
  async function undo(x: number, n: number, post: Post): Promise<void> {
    const entries = await latest(panel);
    const entry = entries[x % Math.min(entries.length, 12)];
    if (entry === undefined) return;
    // A client that is created again, and counters that are set again, keep what was counted since the first time; a
    // replay would not have it.
    const { rootId, depth } = rootOf(entries, entry.id);
    const root = done.find(({ entryId }) => entryId === rootId);
    const wasCounted = done.some(
      ({ entryId, madeAt, path }) => (entryId === 0 || path.includes('Traffic')) && madeAt > (root?.madeAt ?? n),
    );
    if (root?.stands === false && /Traffic|\/clients\/add/.test(root.path) && wasCounted) return;
    // What a later change did not alter, because it was so already, a replay would alter: it resets counters that the undo
    // has brought back, and it deletes an inbound with the counters of clients that have no other one then.
    const isFollowedBy = (later: RegExp): boolean =>
      done.some(({ path, madeAt }) => later.test(path) && madeAt > (root?.madeAt ?? n));
    if (/Traffic|\/inbounds\/del/.test(root?.path ?? '') && isFollowedBy(/Traffic/)) return;
    if (/tach$|\/inbounds\/del/.test(root?.path ?? '') && isFollowedBy(/\/inbounds\/del/)) return;
    const preview = await panel.read<{ refusals: unknown[] }>(`/journal/undo/${entry.id}`);
    // Changed and changed back is unchanged for an undo; a replay would end with the later value.
    const isChangedSince = done.some(
      ({ stands, madeAt, values }) =>
        root !== undefined && stands && madeAt > root.madeAt && [...values].some((value) => root.values.has(value)),
    );
    if (preview.refusals.length === 0 && isChangedSince) return;
    const response = await post(`/journal/undo/${entry.id}`);
    const [newest] = await latest(panel);
    const isThere = newest !== undefined && newest.id > entries[0]!.id && newest.undoOf === entry.id;
    const wasRefused = response?.success === false;
    // The preview matches what happens, and the reported result is there.
    if (response !== null && wasRefused !== preview.refusals.length > 0)
      throw new Error(`entry ${entry.id}: shown ${JSON.stringify(preview.refusals)}, answered ${response.msg}`);
    if (response?.success === true && !isThere)
      throw new Error(`entry ${entry.id}: its undo was answered and is not there`);
    if (wasRefused) counts.refused += 1;
    if (!isThere) return;
    counts.undone += 1;
    const at = done.findIndex(({ entryId }) => entryId === rootId);
    if (at < 0) throw new Error(`entry ${entry.id} was made by nobody`);
    const [one] = done.splice(at, 1);
    // Not the opposite of before: an undo can be undone once more after the one that undid it has been undone itself.
    one!.stands = depth % 2 === 1;
    // Created again, it comes after items changed meanwhile.
    done.push(one!);
  }

  async function change(call: Call, n: number, post: Post): Promise<void> {
    const request = await call(panel);
    if (request === null) return;
    const [before] = await latest(panel);
    await post(...request);
    const [after] = await latest(panel);
    if (after === undefined || after.id === before?.id) return;
    counts.changed += 1;
    const { rows } = await panel.read<{ rows: JournalRow[] }>(`/journal/entry/${after.id}`);
    const touched = new Set(rows.map(({ subject }) => subject));
    const altered = new Set(rows.flatMap(({ fields }) => fields.map(({ name }) => name)));
    done.push({
      entryId: after.id,
      madeAt: n,
      path: request[0],
      values: new Set(
        rows.flatMap(({ table, subject, fields }) => fields.map(({ name }) => `${table} ${subject} ${name}`)),
      ),
      stands: true,
      redo: async (on) => {
        const again = await call(on, altered);
        if (again === null) return;
        const [path, body] = again;
        // Of many named items, those that it changed then: on others it would have an effect today.
        const emails = body?.emails?.filter((email) => touched.has(email));
        await on.post(path, emails === undefined ? body : { ...body, emails });
      },
    });
  }

  return {
    counts,
    /** @param post sends this one change */
    async run(step: Step, n: number, post: Post = panel.post): Promise<void> {
      const there = await thereIn(panel);
      const [kind, x, y] = step;
      const call = callOf(step, n, { there, firstPort });
      if (call !== null) await change(call, n, post);
      else if (kind !== MOVES) await undo(x, n, post);
      else if (there.emails.length > 0) await moveBytes(pick(there.emails, x), y % 500, n);
    },
    /** The changes in effect at the end, in their order, for a panel where nothing was undone. */
    async replay(plain: Target): Promise<void> {
      for (const { stands, redo } of done) if (stands) await redo(plain);
    },
  };
}

/** The change that an undo, or an undo of one, is about, and how many undos lead to it. */
function rootOf(entries: readonly JournalEntry[], id: number): { rootId: number; depth: number } {
  const { undoOf = 0 } = entries.find((entry) => entry.id === id) ?? {};
  if (undoOf === 0) return { rootId: id, depth: 0 };
  const { rootId, depth } = rootOf(entries, undoOf);
  return { rootId, depth: depth + 1 };
}
