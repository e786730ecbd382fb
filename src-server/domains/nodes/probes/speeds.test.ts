import { expect, test } from 'vitest';
import { startNodePair } from '../../../testing/panels/node-pair.ts';
import { createSpeeds } from './speeds.ts';

test('are differences of counters over the time in which they arose', () => {
  const speeds = createSpeeds();
  expect(speeds.all()).toBeNull();
  const at = (sec: number, up: number): unknown => {
    speeds.note(1, [{ tag: 'a', up, down: 0 }], sec * 1_000);
    return speeds.all();
  };
  expect(at(0, 500)).toEqual([]);
  expect(at(5, 1_500)).toEqual([{ tag: 'a', up: 1_000, down: 0 }]);
  // Read twice before the node has counted: nothing, then the sum of two rounds.
  expect(at(10, 1_500)).toEqual([]);
  expect(at(15, 3_500)).toEqual([{ tag: 'a', up: 1_000, down: 0 }]);
  // Read again right after a change: no more than was moved.
  expect(at(16, 3_600)).toEqual([{ tag: 'a', up: 100, down: 0 }]);
  expect(at(21, 40)).toEqual([]);
  expect(at(26, 90)).toEqual([{ tag: 'a', up: 50, down: 0 }]);
  speeds.rest(1);
  expect(speeds.all()).toEqual([]);
  at(30, 900);
  speeds.clear(1);
  expect(speeds.all()).toEqual([]);
});

test('reach open pages with the other figures, under the tags used here', async () => {
  const pair = await startNodePair();
  try {
    const { central, node, nodeId } = pair;
    await central.watch();
    await central.inbound(443);
    const there = await central.inbound(443, { nodeId });
    await central.add({ email: 'alice' }, [there]);
    await pair.tick();
    const published = () =>
      central.events
        .flatMap((event) => (event.type === 'live' && event.message === 'traffic' ? [event.data] : []))
        .at(-1);
    for (let round = 0; round < 2; round += 1) {
      node.core.move('inbounds', 'in-443-tcp', 300, 700);
      await pair.tick();
    }
    await central.tick();
    expect(published()).toMatchObject({ nodeTraffics: [{ tag: `n${nodeId}-in-443-tcp`, up: 300, down: 700 }] });
    pair.setUp(false);
    await pair.tick();
    await central.tick();
    expect(published()).toMatchObject({ nodeTraffics: [] });
  } finally {
    await pair.close();
  }
});
