import { expect, test } from 'vitest';
import { forAllTests } from '../../src-server/testing/for-each-test.ts';
import { report } from '../harness/report.ts';
import { seededNumbers } from '../harness/seeded.ts';
import { pause, waitFor } from '../harness/wait-for.ts';
import { startFleet } from './fleet/start-fleet.ts';

/** How long panels are edited and broken; `FLEET_SOAK_MINUTES` overrides it. */
const MINUTES = Number(process.env['FLEET_SOAK_MINUTES'] ?? 60);
/** Refused, lost and delayed changes are repaired within this time, on a busy machine. */
const SETTLED_MS = 240_000;
/** One action in this many breaks something; the others are edits. */
const BREAK_EVERY = 5;

const fleet = forAllTests(startFleet);

test(
  'after edits on both sides, kills, cuts, lost and repeated answers all panels agree on every client and every byte',
  async () => {
    const random = seededNumbers();
    const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!;
    const { edits, breakages } = fleet;
    const counts = new Map<string, number>();
    const endsAt = Date.now() + MINUTES * 60_000;
    for (let turn = 0; Date.now() < endsAt; turn++) {
      const [name, act] = pick(Object.entries(random() < 1 / BREAK_EVERY ? breakages : edits));
      const result = await act(pick).then(
        () => 'done',
        () => 'failed',
      );
      const key = `${name} ${result}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
      await fleet.confirmPlans().catch(() => undefined);
      await pause(random() * 1_000);
    }
    report([...counts].map(([key, count]) => `${key}: ${count}`).join(', '));
    await fleet.calm();
    const differences = await waitFor(
      'the panels to agree',
      async () => {
        await fleet.confirmPlans();
        const found = await fleet.differences();
        if (found.length > 0) throw new Error(found.slice(0, 20).join('\n'));
        return found;
      },
      SETTLED_MS,
      2_000,
    );
    expect(differences).toEqual([]);
    const { counted, sent } = await fleet.bytes();
    report(`counted ${counted} bytes, sent ${sent}`);
    expect(counted).toBeGreaterThan(0);
    expect(counted).toBeLessThanOrEqual(sent);
  },
  (MINUTES + 15) * 60_000,
);
