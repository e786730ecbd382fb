import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedClients } from '../../bench/seed.ts';
import { freePort } from '../../src-server/testing/free-port.ts';
import { disposePanel, newDataDir, startPanel, type PanelProcess } from '../harness/panel-process.ts';
import { report } from '../harness/report.ts';

const CLIENTS = 100_000;
const WRITERS = 200;
const ROUNDS = 3;

let panel: PanelProcess;
let second: number;
beforeAll(async () => {
  const dataDir = await newDataDir();
  await seedClients(dataDir, CLIENTS, await freePort());
  panel = await startPanel({ dataDir });
  const { id } = await panel.api.post<{ id: number }>('/panel/api/inbounds/add', {
    listen: '127.0.0.1',
    port: await freePort(),
    protocol: 'trojan',
    settings: {},
    streamSettings: { network: 'tcp', security: 'none' },
  });
  second = id;
}, 60_000);
afterAll(() => disposePanel(panel));

test('200 writers beside backups, jobs, imports and lists at 100,000 clients: no lock or server error', async () => {
  const { api } = panel;
  const outcomes: { status: string; msg: string }[] = [];
  /** Anything but an envelope (a 5xx, a cut connection) throws in the harness and is counted here. */
  const send = async (method: string, path: string, body?: unknown): Promise<void> => {
    try {
      const { success, msg } = await api.send(method, path, body);
      outcomes.push({ status: success ? 'ok' : 'refused', msg });
    } catch (error) {
      outcomes.push({ status: 'broken', msg: String(error) });
    }
  };
  const startedAt = performance.now();
  const writer = async (at: number): Promise<void> => {
    for (let round = 0; round < ROUNDS; round++) {
      const email = `writer-${at}-${round}`;
      await send('POST', '/panel/api/clients/add', { client: { email }, inboundIds: [1] });
      await send('POST', `/panel/api/clients/update/${email}`, { email, comment: `round ${round}` });
      await send('POST', '/panel/api/clients/bulkDisable', { emails: [email] });
      if (round % 2 === 0) await send('POST', `/panel/api/clients/del/${email}`);
    }
  };
  const backup = async (): Promise<void> => {
    const copy = await api.download('/panel/api/server/getDb').catch((error: unknown) => String(error));
    const isSound = typeof copy !== 'string' && Buffer.from(copy.subarray(0, 15)).toString() === 'SQLite format 3';
    outcomes.push({ status: isSound ? 'ok' : 'broken', msg: typeof copy === 'string' ? copy : `${copy.length} bytes` });
  };
  const isWriting = { value: true };
  /** Requests that the pages of several operators make all the time, until the writers are done. */
  const watch = async (): Promise<void> => {
    const pages = [
      'clients/list/paged?sort=traffic',
      'clients/list/paged?search=client-99',
      'jobs',
      'server/status',
      'clients/ledger/client-60000@example.org',
      'clients/groups',
    ];
    for (let turn = 0; isWriting.value; turn++) await send('GET', `/panel/api/${pages[turn % pages.length]}`);
  };
  const watching = [watch(), watch(), watch()];
  const imported = Array.from({ length: 2_000 }, (_, at) => ({ client: { email: `in-${at}` }, inboundIds: [1] }));
  const many = (from: number) => Array.from({ length: 5_000 }, (_, at) => `client-${from + at}@example.org`);
  const adjusted = many(0);
  await Promise.all([
    ...Array.from({ length: WRITERS }, (_, at) => writer(at)),
    send('POST', '/panel/api/clients/import', { data: JSON.stringify(imported) }),
    send('POST', '/panel/api/clients/bulkAdjust', { emails: adjusted, addDays: 1 }),
    send('GET', '/panel/api/clients/export'),
    send('GET', '/panel/api/clients/list/paged?search=client-99&sort=traffic'),
    send('POST', '/panel/api/clients/groups/bulkAdd', { emails: adjusted, group: 'vip' }),
    send('POST', '/panel/api/clients/groups/resetTraffic', { name: 'vip' }),
    send('POST', '/panel/api/clients/groups/bulkRemove', { emails: many(2_000) }),
    send('POST', '/panel/api/clients/groups/rename', { oldName: 'vip', newName: 'guests' }),
    send('POST', '/panel/api/clients/bulkDisable', { emails: many(10_000) }),
    send('POST', '/panel/api/clients/bulkEnable', { emails: many(20_000) }),
    send('POST', '/panel/api/clients/bulkResetTraffic', { emails: many(30_000) }),
    send('POST', '/panel/api/clients/resetAllTraffics'),
    send('POST', '/panel/api/clients/bulkAttach', { emails: many(50_000), inboundIds: [second] }),
    send('POST', '/panel/api/clients/bulkDetach', { emails: many(52_000), inboundIds: [second] }),
    send('POST', '/panel/api/clients/ledger/client-60000@example.org/recount'),
    send('POST', '/panel/api/clients/bulkDel', { emails: many(40_000) }),
    send('POST', '/panel/api/clients/delDepleted'),
    send('POST', '/panel/api/clients/delOrphans'),
    send('POST', '/panel/api/inbounds/pushClientTraffics', {
      masterGuid: 'a-panel-above',
      traffics: adjusted.map((email) => ({ email, up: 1, down: 1 })),
    }),
    backup().then(backup),
  ]);
  isWriting.value = false;
  await Promise.all(watching);
  report(`${outcomes.length} calls in ${Math.round((performance.now() - startedAt) / 1000)} s`);
  expect(outcomes.filter(({ status }) => status !== 'ok')).toEqual([]);
  expect(panel.stderr()).not.toMatch(/database is locked|SQLITE_BUSY/);
  const page = await api.get<{ total: number }>('/panel/api/clients/list/paged');
  expect(page.total).toBe(CLIENTS + imported.length + WRITERS - many(0).length);
});
