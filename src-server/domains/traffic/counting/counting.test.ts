import { beforeEach, describe, expect, it } from 'vitest';
import { MAX_BYTES } from '../../../contract/fields/port.ts';
import { forEachTest } from '../../../testing/for-each-test.ts';
import { trafficPanel } from '../../../testing/panels/traffic-panel.ts';

let inboundId: number;
const panel = forEachTest(trafficPanel);
beforeEach(async () => {
  inboundId = await panel.addInbound('in-443-tcp');
});

async function counters(clientId: number): Promise<[number, number]> {
  const { upBytes, downBytes } = await panel.state(clientId);
  const ledger = await panel.ledgerSum(clientId);
  expect(ledger).toEqual({ up: upBytes, down: downBytes });
  return [upBytes, downBytes];
}

describe('counting', () => {
  it('credits differences to clients, inbounds and outbounds', async () => {
    const { core } = panel;
    const alice = await panel.addClient('alice', { inboundIds: [inboundId] });
    core.move('users', 'alice', 100, 1_000);
    core.move('users', 'somebody unknown', 5, 5);
    core.move('inbounds', 'in-443-tcp', 120, 1_200);
    core.move('outbounds', 'direct', 7, 9);
    await panel.tick();
    core.move('users', 'alice', 1, 2);
    core.move('inbounds', 'in-443-tcp', 3, 4);
    core.move('outbounds', 'direct', 1, 1);
    await panel.tick();
    await panel.tick();
    expect(await counters(alice)).toEqual([101, 1_002]);
    expect((await panel.state(alice)).lastOnlineAtMs).toBe(panel.clock() - 5_000);
    expect(await panel.inbound(inboundId)).toMatchObject({ upBytes: 123, downBytes: 1_204 });
    expect(await panel.store.reader.selectFrom('outboundTraffics').selectAll().execute()).toEqual([
      { tag: 'direct', upBytes: 8, downBytes: 10 },
    ]);
  });

  it('credits a counter to the current owner of its name, in memory as in the database', async () => {
    const first = await panel.addClient('a');
    panel.core.move('users', 'a', 10, 1);
    await panel.tick();
    await panel.renameClient(first, 'b');
    await panel.service().port.settleSubjects(['a']);
    const second = await panel.addClient('a');
    panel.core.move('users', 'a', 20, 2);
    panel.core.move('users', 'b', 40, 4);
    await panel.tick();
    expect(await panel.state(first)).toMatchObject({ upBytes: 50, downBytes: 5 });
    expect(await panel.state(second)).toMatchObject({ upBytes: 20, downBytes: 2 });
    expect(await panel.store.reader.selectFrom('changedOwners').selectAll().execute()).toEqual([]);
  });

  it('counts a new core process from zero and reads the old one to its end', async () => {
    const { core } = panel;
    const alice = await panel.addClient('alice');
    core.move('users', 'alice', 100, 0);
    await panel.tick();
    core.move('users', 'alice', 11, 0);
    await core.restart();
    core.move('users', 'alice', 50, 0);
    await panel.tick();
    expect(await counters(alice)).toEqual([161, 0]);
    core.crash();
    core.start();
    core.move('users', 'alice', 500, 0);
    await panel.tick();
    expect(await counters(alice)).toEqual([661, 0]);
  });

  it('continues from its last state after the panel was killed', async () => {
    const { core } = panel;
    const alice = await panel.addClient('alice');
    core.move('users', 'alice', 100, 10);
    await panel.tick();
    core.move('users', 'alice', 30, 3);
    panel.reopen();
    await panel.tick();
    expect(await counters(alice)).toEqual([130, 13]);
  });

  it('ignores readings that are late, repeated or from an ended core', async () => {
    const { core } = panel;
    const alice = await panel.addClient('alice');
    core.move('users', 'alice', 100, 10);
    const early = await core.readCounters();
    await panel.tick();
    core.move('users', 'alice', 100, 10);
    await panel.tick();
    core.nextReading = early;
    await panel.tick();
    core.nextReading = early;
    await panel.service().finalRead();
    await panel.tick();
    expect(await counters(alice)).toEqual([200, 20]);
    await core.restart();
    await panel.tick();
    core.nextReading = early;
    await panel.tick();
    core.move('users', 'alice', 1, 1);
    await panel.tick();
    expect(await counters(alice)).toEqual([201, 21]);
  });

  it('treats a counter reset from outside as a new start', async () => {
    const { core } = panel;
    const alice = await panel.addClient('alice');
    core.move('users', 'alice', 100, 10);
    await panel.tick();
    core.set('users', 'alice', 7, 20);
    await panel.tick();
    core.move('users', 'alice', 1, 1);
    await panel.tick();
    expect(await counters(alice)).toEqual([108, 21]);
  });

  it('keeps counting while the clock is wrong', async () => {
    const { core } = panel;
    const alice = await panel.addClient('alice');
    for (const jump of [-3_600_000, 86_400_000, -90_000_000]) {
      core.move('users', 'alice', 100, 10);
      await panel.tick();
      panel.jumpClock(jump);
    }
    core.move('users', 'alice', 100, 10);
    await panel.tick();
    expect(await counters(alice)).toEqual([400, 40]);
    expect(panel.log.lines.filter(({ level }) => level !== 'info')).toEqual([]);
  });

  it('does not let one damaged counter block the others', async () => {
    const { core } = panel;
    const alice = await panel.addClient('alice');
    const bob = await panel.addClient('bob');
    core.move('users', 'alice', 100, 10);
    core.move('users', 'bob', 1, 1);
    await panel.tick();
    core.set('users', 'alice', Number.NaN, 10);
    core.set('users', 'a\0b', 5, 5);
    core.set('inbounds', 'in-443-tcp', 0.5, -3);
    core.move('users', 'bob', 1, 1);
    await panel.tick();
    expect(await counters(bob)).toEqual([2, 2]);
    expect(await counters(alice)).toEqual([100, 10]);
  });

  it('stops at the largest number a counter can hold, in the ledger too', async () => {
    const { core } = panel;
    const alice = await panel.addClient('alice');
    await panel.store.write((trx) =>
      panel
        .service()
        .port.openCounters(trx, [{ clientId: alice, upBytes: MAX_BYTES - 5, downBytes: 3 }], panel.clock()),
    );
    core.move('users', 'alice', 100, 10);
    await panel.tick();
    core.move('users', 'alice', 100, 10);
    await panel.tick();
    expect(await counters(alice)).toEqual([MAX_BYTES, 23]);
  });

  it('neither loses nor doubles bytes when a commit fails or its result is lost', async () => {
    const { core } = panel;
    const alice = await panel.addClient('alice');
    core.move('users', 'alice', 1, 0);
    await panel.tick();
    for (const mode of ['before', 'after'] as const) {
      core.move('users', 'alice', 100, 10);
      panel.failNextWrite(mode);
      await panel.tick();
      await panel.tick();
    }
    expect(await counters(alice)).toEqual([201, 20]);
    expect(panel.log.lines.filter(({ event }) => event === 'traffic.notCounted')).toHaveLength(2);
  });
});
