import { join } from 'node:path';
import Database from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { expect, test } from 'vitest';
import { checkChain } from '../../src-server/store/journal/chain.ts';
import type { Schema } from '../../src-server/store/schema.ts';
import { unbalanced } from '../../src-server/testing/journal/captured-state.ts';
import {
  createRandomChanges,
  MAX_KIND,
  seen,
  type Step,
  type Target,
} from '../../src-server/testing/journal/random-changes.ts';
import { disposePanel, startPanel } from '../harness/panel-process.ts';
import { report } from '../harness/report.ts';
import { seededNumbers } from '../harness/seeded.ts';
import { pause, waitFor } from '../harness/wait-for.ts';

const SEQUENCES = 4;
const STEPS = 200;
/** One of this many changes is requested from a panel that is killed meanwhile. */
const KILLED_ONE_IN = 10;
/** Most changes take less than this: some kills find theirs committed, some under way, some not begun. */
const WITHIN_MS = 30;
const random = seededNumbers();
const below = (bound: number): number => Math.floor(random() * bound);

/** A panel in its own process. */
async function openProcess() {
  const panel = await startPanel();
  const database = new Database(join(panel.dataDir, 'panel.db'), { readonly: true });
  const db = new Kysely<Schema>({ dialect: new SqliteDialect({ database }) });
  const target: Target = {
    db,
    read: (path) => panel.api.get(`/panel/api${path}`),
    post: (path, body) => panel.api.send('POST', `/panel/api${path}`, body),
  };
  const pid = async (): Promise<number> =>
    (await panel.api.get<{ appStats: { pid: number } }>('/panel/api/server/status')).appStats.pid;
  return {
    target,
    /** Kills the panel during the request for a change. @returns null when there was no response */
    async postKilled(path: string, body?: object): ReturnType<Target['post']> {
      const killed = await pid();
      const sent = target.post(path, body).catch(() => null);
      await pause(random() * WITHIN_MS);
      process.kill(killed, 'SIGKILL');
      const response = await sent;
      await waitFor('the panel after a kill', async () => (await pid()) !== killed, 60_000, 20);
      return response;
    },
    async close() {
      await db.destroy();
      await disposePanel(panel);
    },
  };
}

test.for(Array.from({ length: SEQUENCES }, (_, at) => at + 1))(
  'changes and undos with kills at random end in the state of a plain replay, %i',
  { timeout: 900_000 },
  async () => {
    const panel = await openProcess();
    let open = panel;
    const kills = { responded: 0, lost: 0 };
    try {
      const changes = createRandomChanges(panel.target, { firstPort: 25_000 });
      for (let n = 0; n < STEPS; n++) {
        const step: Step = [below(MAX_KIND + 1), below(1_000_000), below(1_000_000), below(1_000_000)];
        const isKilled = below(KILLED_ONE_IN) === 0;
        await changes.run(step, n, async (path, body) => {
          if (!isKilled) return panel.target.post(path, body);
          const response = await panel.postKilled(path, body);
          kills[response === null ? 'lost' : 'responded'] += 1;
          return response;
        });
      }
      report(`${JSON.stringify(changes.counts)}, kills ${JSON.stringify(kills)}`);
      expect(await unbalanced(panel.target.db)).toEqual([]);
      expect((await checkChain(panel.target.db)).broken).toBeNull();
      const state = await seen(panel.target);
      // Its core listens on the ports that the other one needs.
      await panel.close();
      open = await openProcess();
      await changes.replay(open.target);
      expect(state).toEqual(await seen(open.target));
      expect(changes.counts.undone).toBeGreaterThan(0);
      expect(kills.lost).toBeGreaterThan(0);
    } finally {
      await open.close();
    }
  },
);
