import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiResponse } from './harness/api.ts';
import { freePort } from '../src-server/testing/free-port.ts';
import { allowPrivateEgress } from './harness/open-egress.ts';
import { admin, makeToken, disposePanel, startPanel, type PanelProcess } from './harness/panel-process.ts';
import { startTargetServer, type TargetServer } from './harness/target-server.ts';
import { waitFor } from './harness/wait-for.ts';
import { addVlessInbound, connectVless } from './harness/vless-inbound.ts';

const SERVER = '/panel/api/server';

interface Plan {
  kind: string;
  counts: { clients: number; inbounds: number };
}
interface ImportResult {
  outcome: string;
}
/** A token from before an import that brings other tokens is invalid: the owner creates another. */
async function upload(
  panel: PanelProcess,
  token: string,
  content: Buffer,
  path = 'importDB',
): Promise<ApiResponse<Plan>> {
  const body = new FormData();
  body.append('db', new Blob([new Uint8Array(content)]), 'kept.db');
  const response = await fetch(`${panel.url.replace(/\/$/, '')}${SERVER}/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body,
  });
  return (await response.json()) as ApiResponse<Plan>;
}
async function download(panel: PanelProcess, token: string): Promise<Buffer> {
  const response = await fetch(`${panel.url.replace(/\/$/, '')}${SERVER}/getDb`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return Buffer.from(await response.arrayBuffer());
}
const pidOf = async (panel: PanelProcess): Promise<number> =>
  (await panel.api.get<{ appStats: { pid: number } }>(`${SERVER}/status`)).appStats.pid;
/** Waits for the restart at the end of an import. */
async function restarted(panel: PanelProcess, pidBefore: number): Promise<void> {
  await waitFor('the panel answers from a new process', async () => (await pidOf(panel)) !== pidBefore, 60_000, 200);
}
const allClients = (panel: PanelProcess) => panel.api.get<{ email: string }[]>('/panel/api/clients/list');

describe('a panel and its backups', () => {
  let panel: PanelProcess;
  let token: string;
  let site: TargetServer;
  beforeAll(async () => {
    panel = await startPanel();
    token = makeToken(panel.dataDir);
    site = await startTargetServer();
  });
  afterAll(async () => {
    await disposePanel(panel);
    await site.close();
  });

  test('are restored completely after everything was deleted', async () => {
    await allowPrivateEgress(panel.api);
    const port = await freePort();
    const { id } = await addVlessInbound(panel.api, { remark: 'kept', port });
    await panel.api.post('/panel/api/clients/add', { client: { email: 'kept', totalGB: 5e9 }, inboundIds: [id] });
    const before = await allClients(panel);
    const kept = await download(panel, token);

    await panel.api.post(`/panel/api/inbounds/${id}/delAllClients`);
    await panel.api.post(`/panel/api/inbounds/del/${id}`);
    expect(await allClients(panel)).toEqual([]);

    const pid = await pidOf(panel);
    expect(await upload(panel, token, kept, 'importDB/preview')).toMatchObject({ obj: { counts: { clients: 1 } } });
    expect((await upload(panel, token, kept)).msg).toBe('The database has been successfully imported.');
    await restarted(panel, pid);
    expect(await allClients(panel)).toEqual(before);
    // Recorded once the panel has come up with it.
    const result = await waitFor('the result', () => panel.api.get<ImportResult>(`${SERVER}/importDB/outcome`));
    expect(result).toMatchObject({ outcome: 'imported' });
    const client = await connectVless(panel.api, port, 'kept');
    expect(await client.fetchBytes(`${site.url}/bytes/20000`)).toBe(20_000);
    await client.close();
  });

  test('are restored by a command while the panel runs', async () => {
    const file = join(panel.dataDir, 'by-hand.db');
    await admin(panel.dataDir, 'backup', file);
    await panel.api.post('/panel/api/clients/del/kept');
    const pid = await pidOf(panel);
    const plan = JSON.parse(await admin(panel.dataDir, 'restore', file)) as Plan;
    expect(plan).toMatchObject({ kind: 'own', counts: { clients: 1 } });
    await restarted(panel, pid);
    expect((await allClients(panel)).map(({ email }) => email)).toEqual(['kept']);
    await rm(file);
  });

  test('are rolled back when the panel cannot start with them', async () => {
    const before = await allClients(panel);
    const kept = await download(panel, token);
    await panel.stop();
    const file = join(panel.dataDir, 'changed.db');
    await writeFile(file, kept);
    const db = new Database(file);
    db.pragma('journal_mode = DELETE');
    db.prepare(`INSERT OR REPLACE INTO settings VALUES ('subTitle', 'never seen')`).run();
    db.close();
    await admin(panel.dataDir, 'restore', file);
    // The port is taken: the start with the new database fails, and the next one has the old database again.
    const other = await startTargetServer();
    const starting = startPanel({ dataDir: panel.dataDir, port: Number(new URL(other.url).port) });
    const ended = join(panel.dataDir, 'import', 'ended.json');
    await waitFor('the import is undone', async () => (await readFile(ended, 'utf8')).includes('undone'), 60_000);
    await other.close();
    panel = await starting;
    await rm(file);
    expect(await panel.api.get<ImportResult>(`${SERVER}/importDB/outcome`)).toMatchObject({ outcome: 'undone' });
    expect(await allClients(panel)).toEqual(before);
    const { subTitle } = await panel.api.post<{ subTitle: string }>('/panel/api/setting/all');
    expect(subTitle).not.toBe('never seen');
  });
});
