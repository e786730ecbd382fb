import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createCore } from '../src-server/core/create-core.ts';
import { freePort } from '../src-server/testing/free-port.ts';
import { createScheduler } from '../src-server/schedule/scheduler.ts';
import { createDesiredState } from '../src-server/runtime/desired-state.ts';
import { openStore } from '../src-server/store/open-store.ts';
import { coreBinary } from '../e2e/harness/core/core-binary.ts';
import { figure } from './figures.ts';
import { OPEN_TEMPLATE } from './open-template.ts';
import { QUIET } from './measured-panel.ts';

const ROUNDS = 3;

/**
 * Cost of changes to the whole config with the clients in `dataDir`: predicted, applied live, applied by a restart. The
 * longest block of the event loop is the best of some rounds, so that a busy machine does not count.
 */
export async function coreChanges(dataDir: string): Promise<void> {
  const store = await openStore({ dataDir, clock: Date.now, log: QUIET });
  const schedule = createScheduler({ clock: Date.now, log: QUIET });
  let template = JSON.parse(OPEN_TEMPLATE) as { outbounds: object[] };
  const desired = createDesiredState(store, async () => JSON.parse(JSON.stringify(template)));
  const core = createCore({
    dataDir,
    resourcesDir: dataDir,
    binary: coreBinary(),
    desired,
    log: QUIET,
    clock: Date.now,
    schedule,
  });
  const held = async (work: () => Promise<unknown>): Promise<{ tookMs: number; heldMs: number }> => {
    const loop = monitorEventLoopDelay({ resolution: 1 });
    loop.enable();
    const startedAt = performance.now();
    await work();
    const tookMs = performance.now() - startedAt;
    loop.disable();
    return { tookMs, heldMs: loop.max / 1e6 };
  };
  // None when this part is run alone.
  const inbound = await store.reader.selectFrom('inbounds').select('id').executeTakeFirst();
  await core.boot();
  const works: [string, () => Promise<unknown>][] = [
    ['a template change is planned', async () => core.plan(JSON.parse(JSON.stringify(template)))],
    [
      'an outbound is added live',
      async () => {
        template = {
          ...template,
          outbounds: [...template.outbounds, { tag: `x${Math.random()}`, protocol: 'blackhole' }],
        };
        const result = await core.apply({ everything: true });
        if (result.kind !== 'live') throw new Error(`the change was not live: ${JSON.stringify(result)}`);
      },
    ],
    ['the core is restarted', () => core.restart('bench')],
  ];
  if (inbound !== undefined)
    works.push([
      'an inbound changes its port',
      async () => {
        const port = await freePort();
        await store.write((trx) => trx.updateTable('inbounds').set({ port }).where('id', '=', inbound.id).execute());
        const result = await core.apply({ inboundIds: [inbound.id] });
        if (result.kind !== 'live') throw new Error(`the change was not live: ${JSON.stringify(result)}`);
      },
    ]);
  for (const [name, work] of works) {
    const rounds = [];
    for (let round = 0; round < ROUNDS; round += 1) rounds.push(await held(work));
    figure(`${name}: time (best of ${ROUNDS})`, Math.min(...rounds.map(({ tookMs }) => tookMs)), 'ms', null);
    figure(`${name}: event loop held (best of ${ROUNDS})`, Math.min(...rounds.map(({ heldMs }) => heldMs)), 'ms', 50);
  }
  await core.close();
  await schedule.close();
  await store.close();
}
