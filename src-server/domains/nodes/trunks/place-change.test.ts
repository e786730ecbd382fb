import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { freePort } from '../../../testing/free-port.ts';
import { enrolPanel } from '../../../testing/panels/enrol-panel.ts';
import { openPanel, type TestPanel } from '../../../testing/panels/open-panel.ts';
import type { Node } from '../contract.ts';

const PATIENT = { timeout: 20_000, interval: 20 };

/** As started without `--port`: the stored one counts. */
const app = { overrides: { webListen: '127.0.0.1', subListen: '127.0.0.1', subPort: 0 } };
// That of the command.
const startMs = Date.now();

let master: TestPanel;
let node: TestPanel;
let port: number;
beforeAll(async () => {
  const first = await openPanel({ startMs });
  port = await freePort();
  first.write(`INSERT INTO settings (key, value) VALUES ('webPort', ?)`, String(port));
  await first.app.close();
  [master, node] = await Promise.all([openPanel({ startMs, dataDir: first.dataDir, app }), openPanel({ startMs })]);
  await enrolPanel(master, node);
});
afterAll(async () => {
  for (const panel of [node, master]) await panel.close();
});

const connected = (): Promise<void> =>
  vi.waitFor(async () => {
    await node.advance(3_000);
    expect(await master.read<Node[]>('/nodes/list')).toMatchObject([{ status: 'online', dialledBy: 'node' }]);
  }, PATIENT);
const masters = () => node.store.reader.selectFrom('masters').select(['url', 'formerUrl']).execute();

test('nodes follow a new port and base path of their master', async () => {
  await connected();
  const next = await freePort();
  await master.set({ webPort: next, webBasePath: '/next/' });
  const { dataDir } = master;
  await master.app.close();
  const [here, there] = [`http://127.0.0.1:${port}/`, `http://127.0.0.1:${next}/next/`];
  expect(await masters()).toEqual([{ url: there, formerUrl: here }]);
  master = await openPanel({ startMs, dataDir, app });
  expect(master.app.panel.url).toBe(there);
  await connected();
  // A restart without a change tells nothing.
  await master.app.close();
  expect(await masters()).toEqual([{ url: there, formerUrl: here }]);
  master = await openPanel({ startMs, dataDir, app });
  await connected();
});
