import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { unbalanced } from '../../testing/journal/captured-state.ts';
import { openPanel, type TestPanel } from '../../testing/panels/open-panel.ts';
import type { JournalEntry, JournalRow } from './contract.ts';

/** Changes and undos at random, and a second panel that is only asked for what was not taken back. */
const STEPS = 200;
const GROUPS = ['', 'g', 'h'];
const number = fc.nat({ max: 1_000_000 });

/** What is done, with numbers that choose among what is there. */
type Step = readonly [kind: number, x: number, y: number, z: number];
const steps = fc.array(fc.tuple(fc.nat({ max: 28 }), number, number, number), { minLength: STEPS, maxLength: STEPS });

const pick = <T>(list: readonly T[], n: number): T => list[n % list.length]!;
const some = <T>(list: readonly T[], n: number): T[] => list.filter((_, at) => ((n >> (at % 16)) & 1) === 1);
const uuidOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** A call that names what it is about: ids differ between the two panels, and a name is never used twice. */
type Call = (panel: TestPanel) => Promise<readonly [path: string, body?: object & { emails?: string[] }] | null>;
/** What is there when something is to be done. */
interface There {
  emails: string[];
  ports: number[];
  addresses: string[];
}

async function thereIn({ store }: TestPanel): Promise<There> {
  const clients = await store.reader.selectFrom('clients').select('email').orderBy('id').execute();
  const inbounds = await store.reader.selectFrom('inbounds').select('port').orderBy('id').execute();
  const hosts = await store.reader.selectFrom('hosts').select('address').orderBy('id').execute();
  return {
    emails: clients.map(({ email }) => email),
    ports: inbounds.map(({ port }) => port),
    addresses: hosts.map(({ address }) => address),
  };
}
async function inboundId(panel: TestPanel, port: number): Promise<number | null> {
  const row = await panel.store.reader.selectFrom('inbounds').select('id').where('port', '=', port).executeTakeFirst();
  return row?.id ?? null;
}
async function hostId(panel: TestPanel, address: string): Promise<number | null> {
  const row = await panel.store.reader
    .selectFrom('hosts')
    .select('id')
    .where('address', '=', address)
    .executeTakeFirst();
  return row?.id ?? null;
}
const vless = (port: number, remark: string) => ({
  port,
  protocol: 'vless',
  remark,
  settings: { decryption: 'none', encryption: 'none' },
  streamSettings: { network: 'tcp', security: 'none' },
});

function callOf([kind, x, y, z]: Step, n: number, there: There): Call | null {
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
      return async () => [`/clients/update/${email}`, { ...client, email }];
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
      return async () => (there.ports.length > 4 ? null : ['/inbounds/add', vless(5_000 + n, `r${n}`)]);
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
    default:
      return null;
  }
}

/** Bytes that a client moves: in no journal, and never turned back. */
async function move(panel: TestPanel, email: string, bytes: number): Promise<void> {
  const row = await panel.store.reader.selectFrom('clients').select('id').where('email', '=', email).executeTakeFirst();
  if (row === undefined) return;
  panel.write('UPDATE clientStates SET upBytes = upBytes + ? WHERE clientId = ?', bytes, row.id);
  panel.write(`INSERT OR IGNORE INTO trafficSources (kind, guid, bootId) VALUES ('node', 'n', '')`);
  panel.write(
    `INSERT INTO trafficLedger (spanSec, bucketStartSec, clientId, sourceId, upBytes, downBytes)
     SELECT 300, 0, ?, id, ?, 0 FROM trafficSources WHERE kind = 'node'
     ON CONFLICT DO UPDATE SET upBytes = upBytes + excluded.upBytes`,
    row.id,
    bytes,
  );
}

/** Everything that operators see, by names in place of ids. */
async function seen(panel: TestPanel): Promise<unknown> {
  const db = panel.store.reader;
  const inbounds = await db.selectFrom('inbounds').selectAll().execute();
  const portOf = new Map(inbounds.map(({ id, port }) => [id, port]));
  const links = await db.selectFrom('clientInbounds').selectAll().execute();
  const clients = await db
    .selectFrom('clients')
    .innerJoin('clientStates', 'clientStates.clientId', 'clients.id')
    .selectAll()
    .execute();
  const hosts = await db.selectFrom('hosts').selectAll().execute();
  const settings = await db.selectFrom('settings').selectAll().where('key', 'in', ['pageSize', 'expireDiff']).execute();
  const groups = await panel.read<{ name: string; clientCount: number }[]>('/clients/groups');
  const byText = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
  return {
    inbounds: inbounds.map(({ id: _id, createdAtMs: _c, updatedAtMs: _u, ...row }) => row).sort(byText),
    clients: clients
      .map(({ id, clientId: _client, createdAtMs: _c, updatedAtMs: _u, lastOnlineAtMs: _l, ...row }) => ({
        ...row,
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
    hosts: hosts
      .map(({ id: _id, groupId: _g, createdAtMs: _c, updatedAtMs: _u, inboundId, ...row }) => ({
        ...row,
        on: portOf.get(inboundId),
      }))
      .sort(byText),
    settings: settings.sort(byText),
    // An empty group is no more than a name, and a group keeps the traffic of members that an undo took away.
    groups: groups.flatMap(({ name, clientCount }) => (clientCount > 0 ? [{ name, clientCount }] : [])).sort(byText),
  };
}

const latest = async (panel: TestPanel): Promise<JournalEntry[]> =>
  (await panel.read<{ entries: JournalEntry[] }>('/journal/list?limit=200')).entries;

test('200 changes and undos end in the state of a plain replay', { timeout: 240_000 }, async () => {
  let undone = 0;
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const panel = await openPanel();
      const plain = await openPanel();
      try {
        type Done = {
          entryId: number;
          madeAt: number;
          path: string;
          stands: boolean;
          redo: (on: TestPanel) => Promise<unknown>;
        };
        const done: Done[] = [];
        for (const [n, step] of sequence.entries()) {
          const there = await thereIn(panel);
          const call = callOf(step, n, there);
          if (call === null) {
            const [, x, y] = step;
            if (step[0] === 20) {
              if (there.emails.length === 0) continue;
              const email = pick(there.emails, x);
              await move(panel, email, y % 500);
              done.push({
                entryId: 0,
                madeAt: n,
                path: '',
                stands: true,
                redo: (on) => move(on, email, y % 500),
              });
              continue;
            }
            // Mostly what was done lately, and now and then an undo itself.
            const entries = await latest(panel);
            const entry = entries[x % Math.min(entries.length, 12)];
            if (entry === undefined) continue;
            // A client that is made once more, and counters that are set once more, keep what was counted since the first time; a replay
            // would have nothing of it.
            const root = done.find(({ entryId }) => entryId === rootOf(entries, entry.id));
            const wasCounted = done.some(
              ({ entryId, madeAt, path }) =>
                (entryId === 0 || path.includes('Traffic')) && madeAt > (root?.madeAt ?? n),
            );
            if (root?.stands === false && /Traffic|\/clients\/add/.test(root.path) && wasCounted) continue;
            const preview = await panel.read<{ refusals: unknown[] }>(`/journal/undo/${entry.id}`);
            const answer = await panel.post(`/journal/undo/${entry.id}`);
            // What was shown is what happens.
            expect(answer.success, answer.msg).toBe(preview.refusals.length === 0);
            if (!answer.success) {
              refused += 1;
              continue;
            }
            undone += 1;
            const undoneId = rootOf(await latest(panel), entry.id);
            const at = done.findIndex(({ entryId }) => entryId === undoneId);
            expect(at).toBeGreaterThanOrEqual(0);
            const [one] = done.splice(at, 1);
            one!.stands = !one!.stands;
            // Made again it comes after what was changed meanwhile.
            done.push(one!);
            continue;
          }
          const asked = await call(panel);
          if (asked === null) continue;
          const [before] = await latest(panel);
          const answer = await panel.post(...asked);
          const [after] = await latest(panel);
          if (!answer.success || after === undefined || after.id === before?.id) continue;
          const { rows } = await panel.read<{ rows: JournalRow[] }>(`/journal/entry/${after.id}`);
          const touched = new Set(rows.map(({ subject }) => subject));
          done.push({
            entryId: after.id,
            madeAt: n,
            path: asked[0],
            stands: true,
            redo: async (on) => {
              const again = await call(on);
              if (again === null) return;
              const [path, body] = again;
              // Of many that were named, those that it changed then: on others it would do something today.
              const emails = body?.emails?.filter((email) => touched.has(email));
              await on.post(path, emails === undefined ? body : { ...body, emails });
            },
          });
        }
        expect(await unbalanced(panel.store.reader)).toEqual([]);
        for (const { stands, redo } of done) if (stands) await redo(plain);
        expect(await seen(panel)).toEqual(await seen(plain));
      } finally {
        await panel.close();
        await plain.close();
      }
    }),
    { numRuns: 2, endOnFailure: true },
  );
  expect(undone).toBeGreaterThan(5);
  expect(refused).toBeGreaterThan(0);
});

/** The change that an undo, or an undo of one, is about. */
function rootOf(entries: readonly JournalEntry[], id: number): number {
  const { undoOf = 0 } = entries.find((entry) => entry.id === id) ?? {};
  return undoOf === 0 ? id : rootOf(entries, undoOf);
}
