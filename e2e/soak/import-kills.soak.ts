import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { coresOf } from '../harness/core-figures.ts';
import { disposePanel, newDataDir, startPanel, type PanelProcess } from '../harness/panel-process.ts';
import { report } from '../harness/report.ts';
import { seededNumbers } from '../harness/seeded.ts';
import { pause } from '../harness/wait-for.ts';
import { addVlessInbound } from '../harness/vless-inbound.ts';

const countClients = async (panel: PanelProcess): Promise<number> =>
  (await panel.api.get<unknown[]>('/panel/api/clients/list')).length;

describe('kills at random moments of imports and backups', () => {
  const KILLS = 20;

  /** The serving processes below a launcher. */
  async function childrenOf(pid: number): Promise<number[]> {
    const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
    return text.split(' ').filter(Boolean).map(Number);
  }
  function killNow(pid: number): void {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended a moment ago.
    }
  }

  test('leave the old state or the new one, whole, and nothing else', { timeout: 900_000 }, async () => {
    const random = seededNumbers();
    const dataDir = await newDataDir();
    let panel = await startPanel({ dataDir });
    const states: { name: string; clients: number; file: Uint8Array }[] = [];
    try {
      const { id } = await addVlessInbound(panel.api);
      for (const [name, more] of [
        ['small', 20],
        ['large', 3000],
      ] as const) {
        const items = Array.from({ length: more }, (_, at) => ({
          client: { email: `${name}-${at}` },
          inboundIds: [id],
        }));
        await panel.api.post('/panel/api/clients/import', { data: JSON.stringify(items) });
        await panel.api.post('/panel/api/setting/update', { subTitle: name });
        states.push({
          name,
          clients: await countClients(panel),
          file: await panel.api.download('/panel/api/server/getDb'),
        });
      }
      const ends: string[] = [];
      for (let kill = 0; kill < KILLS; kill++) {
        const { file } = states[kill % 2]!;
        const form = new FormData();
        form.append('db', new Blob([new Uint8Array(file)]), 'kept.db');
        const work = Promise.allSettled([
          panel.api.upload('/panel/api/server/importDB', form),
          panel.api.download('/panel/api/server/getDb'),
        ]);
        await pause(random() * 6000);
        const pids = await childrenOf(panel.launcher.pid!);
        killNow(panel.launcher.pid!);
        pids.forEach(killNow);
        await work;
        panel = await startPanel({ dataDir });
        const { subTitle } = await panel.api.post<{ subTitle: string }>('/panel/api/setting/all');
        const found = await countClients(panel);
        expect([subTitle, found], `after kill ${kill}`).toEqual(
          states.map(({ name, clients }) => [name, clients]).find(([name]) => name === subTitle),
        );
        ends.push(subTitle);
        // The panel would apply a staged database meanwhile.
        expect(readdirSync(join(dataDir, 'import')).filter((name) => name !== 'ended.json')).toEqual([]);
      }
      report(`states after ${KILLS} kills: ${ends.join(' ')}`);
      const backups = readdirSync(join(dataDir, 'backups'));
      expect(backups.filter((name) => !/^panel-\d{13}-[a-z]+\.db$/.test(name))).toEqual([]);
      expect(backups.length).toBeLessThanOrEqual(10);
      expect(readdirSync(dataDir).filter((name) => /restoring|damaged|unfinished/.test(name))).toEqual([]);
      expect(await coresOf(dataDir)).toHaveLength(1);
    } finally {
      await disposePanel(panel);
    }
  });
});
