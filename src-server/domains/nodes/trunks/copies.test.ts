import { cp, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { enrolPanel } from '../../../testing/panels/enrol-panel.ts';
import { openPanel, type TestPanel } from '../../../testing/panels/open-panel.ts';
import { isInFiles } from '../../../testing/postgres/databases.ts';
import type { Node } from '../contract.ts';

const PATIENT = { timeout: 20_000, interval: 20 };
// That of the command.
const startMs = Date.now();

let master: TestPanel;
let node: TestPanel;
let copy: TestPanel | undefined;
/** The node and a copy of its whole machine, both off. */
let folders: { node: string; copy: string };
// Two panels on one database of a server are not copies of each other: one stands by.
describe.skipIf(!isInFiles())('a copied machine', () => {
  beforeAll(async () => {
    [master, node] = await Promise.all([openPanel({ startMs }), openPanel({ startMs, panelGuid: 'guid-of-the-node' })]);
    await enrolPanel(master, node);
    await node.app.close();
    folders = { node: node.dataDir, copy: await mkdtemp(join(tmpdir(), 'switchyard-test-')) };
    await cp(folders.node, folders.copy, { recursive: true });
  });
  afterAll(async () => {
    for (const panel of [copy, node, master]) await panel?.close();
  });

  const row = async (): Promise<Node> => (await master.read<Node[]>('/nodes/list'))[0]!;
  /** Trunks that were opened until now. */
  const opened = (): number => master.log.lines.filter(({ event }) => event === 'node.trunkOpen').length;

  test('a copy of an enrolled node is turned away and shown, and leaves the trunk of the node alone', async () => {
    node = await openPanel({ startMs, dataDir: folders.node });
    await vi.waitFor(async () => {
      await node.advance(3_000);
      expect(await row()).toMatchObject({ status: 'online', dialledBy: 'node', copyAt: '' });
    }, PATIENT);
    const doubled = await openPanel({ startMs, dataDir: folders.copy });
    copy = doubled;
    await vi.waitFor(async () => {
      await doubled.advance(3_000);
      expect(await row()).toMatchObject({ status: 'online', dialledBy: 'node', copyAt: '127.0.0.1' });
    }, PATIENT);
    // It goes on trying, ever more rarely; it is shown as long as it does.
    for (let each = 0; each < 20; each += 1) await doubled.advance(3_000);
    expect(opened()).toBe(1);
    await copy.close();
    copy = undefined;
    await master.advance(200_000);
    expect(await row()).toMatchObject({ copyAt: '' });
  });
});
