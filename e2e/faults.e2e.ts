import { execFileSync } from 'node:child_process';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { afterTest } from '../src-server/testing/for-each-test.ts';
import { disposePanel, newDataDir, startPanel, type PanelProcess } from './harness/panel-process.ts';
import { waitFor } from './harness/wait-for.ts';
import { addVlessInbound } from './harness/vless-inbound.ts';

interface CoreStatus {
  core: { state: string; errorMsg?: string };
}

async function panelWith(options: Parameters<typeof startPanel>[0]): Promise<PanelProcess> {
  const panel = await startPanel(options);
  afterTest(() => disposePanel(panel));
  return panel;
}

const errorText = async (panel: PanelProcess): Promise<string> =>
  waitFor('the core state', async () => {
    const { core } = await panel.api.get<CoreStatus>('/panel/api/server/status');
    return core.state === 'error' ? (core.errorMsg ?? '') : undefined;
  });

describe('the panel starts whatever state the core is in, and says what to do', () => {
  test('no such file', async () => {
    const panel = await panelWith({ core: '/nonexistent/xray' });
    expect(await errorText(panel)).toContain('npm run core');
  });
});

describe('storage', () => {
  test('a database damaged in the middle costs at most what came after its newest backup', async () => {
    const first = await startPanel();
    afterTest(() => rm(first.dataDir, { recursive: true, force: true }));
    await addVlessInbound(first.api);
    await first.stop();
    const file = join(first.dataDir, 'panel.db');
    const { size } = await stat(file);
    const handle = await open(file, 'r+');
    await handle.write(Buffer.alloc(16_384, 0x55), 0, 16_384, Math.floor(size / 3 / 4096) * 4096);
    await handle.close();
    const again = await startPanel({ dataDir: first.dataDir });
    afterTest(() => again.stop());
    expect((await again.api.get<unknown[]>('/panel/api/inbounds/list')).length).toBe(1);
    expect((await readdir(first.dataDir)).some((name) => name.includes('damaged'))).toBe(true);
  });

  test('(as root) a full disk refuses the write with its reason, keeps acknowledged data, and recovers', async () => {
    const mountPoint = await mountedTmpfs('24m');
    const panel = await startPanel({ dataDir: join(mountPoint, 'data') });
    afterTest(() => panel.stop());
    const kept = await addVlessInbound(panel.api);
    execFileSync('sh', ['-c', `dd if=/dev/zero of=${join(mountPoint, 'filler')} bs=64k 2>/dev/null || true`]);
    const comment = 'x'.repeat(200);
    let next = 0;
    const refused = await waitFor(
      'a refused write',
      async () => {
        const email = `full-${next++}`;
        const response = await panel.api.send('POST', '/panel/api/clients/add', {
          client: { email, comment },
          inboundIds: [kept.id],
        });
        return response.success ? undefined : response;
      },
      60_000,
      0,
    );
    expect(refused.msg).toMatch(/disk|space/i);
    expect((await panel.api.get<unknown[]>('/panel/api/inbounds/list/slim')).length).toBe(1);
    await rm(join(mountPoint, 'filler'));
    await panel.api.post('/panel/api/clients/add', { client: { email: 'after-space' }, inboundIds: [kept.id] });
  });

  test('(as root) a read-only data folder is refused at start by name', async () => {
    const mountPoint = await mountedTmpfs('8m');
    const dataDir = join(mountPoint, 'data');
    await mkdir(dataDir);
    execFileSync('mount', ['-o', 'remount,ro', mountPoint]);
    await expect(startPanel({ dataDir })).rejects.toThrow(dataDir);
  });
});

/** A small file system for the test. */
async function mountedTmpfs(size: string): Promise<string> {
  if (process.getuid?.() !== 0) throw new Error('only root can mount the small file system that this test fills');
  const mountPoint = await newDataDir();
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', mountPoint]);
  afterTest(async () => {
    execFileSync('umount', ['-l', mountPoint]);
    await rm(mountPoint, { recursive: true, force: true });
  });
  return mountPoint;
}
