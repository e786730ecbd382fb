import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Failpoint } from '../../src-server/failpoints/failpoint.ts';
import { coresOf } from './core-figures.ts';
import type { PanelProcess } from './panel-process.ts';
import { waitFor } from './wait-for.ts';

interface Status {
  core: { state: string; pid: number | null };
  appStats: { pid: number };
}

/** Kills panels at named points; start each panel with `env`. */
export async function createFailpoints() {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-failpoints-'));
  const killedAt = new Set<Failpoint>();

  /** Waits until the panel, restarted by its launcher, answers with exactly one running core. */
  async function running(panel: PanelProcess): Promise<void> {
    const { core } = await waitFor(
      'the panel and its core after a kill',
      async () => {
        const now = await panel.api.get<Status>('/panel/api/server/status');
        return now.core.state === 'running' && now;
      },
      60_000,
      100,
    ).catch((error: unknown) => {
      throw new Error(`the panel is not back:\n${panel.stderr().slice(-2_000)}`, { cause: error });
    });
    expect(await coresOf(panel.dataDir)).toEqual([core.pid]);
  }

  return {
    env: { PANEL_FAILPOINTS: folder },
    /** Points at which a panel was killed so far. */
    killedAt,
    running,
    /** Kills the panel at each of these points, which `act` makes it reach, and waits until it is back. */
    async kill(panel: PanelProcess, points: readonly Failpoint[], act: () => Promise<unknown>): Promise<void> {
      for (const point of points) await writeFile(join(folder, point), '');
      const acting = Promise.allSettled([act()]);
      for (const point of points)
        await waitFor(`the kill at ${point}`, () => !existsSync(join(folder, point)), 60_000, 20);
      await acting;
      for (const point of points) killedAt.add(point);
      await running(panel);
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
export type Failpoints = Awaited<ReturnType<typeof createFailpoints>>;
