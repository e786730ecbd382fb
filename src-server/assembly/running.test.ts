import { expect, test } from 'vitest';
import { openPanel } from '../testing/panels/open-panel.ts';
import { inFiles } from '../testing/postgres/databases.ts';

const DAY_MS = 86_400_000;

inFiles(test)('the core starts also when what is due cannot be enforced before, as on a full disk', async () => {
  const before = await openPanel();
  const expiryTime = before.clock() + DAY_MS;
  await before.add({ email: 'a', expiryTime }, [await before.inbound(20_443)]);
  before.write(`CREATE TRIGGER full BEFORE UPDATE ON clientStates BEGIN SELECT raise(ABORT, 'disk full'); END`);
  await before.app.close();
  let boots = 0;
  const panel = await openPanel({
    dataDir: before.dataDir,
    startMs: expiryTime + DAY_MS,
    core(core) {
      core.boot = async () => void (boots += 1);
    },
  });
  await panel.app.coreBooted;
  expect(boots).toBe(1);
  await panel.close();
});
