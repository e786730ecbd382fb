import { afterAll, beforeAll, expect, test } from 'vitest';
import { disposePanel, startPanel, type PanelProcess } from './harness/panel-process.ts';
import { report } from './harness/report.ts';
import { waitFor } from './harness/wait-for.ts';
import { addVlessInbound } from './harness/vless-inbound.ts';

/** Seconds of work. */
const COUNT = 10_000;

interface Job {
  id: string;
  kind: string;
  state: string;
  done: number;
  total: number;
  startedAt: number;
  finishedAt: number;
  errorCode: string;
}

let panel: PanelProcess;
let inboundId: number;
beforeAll(async () => {
  panel = await startPanel({ core: null });
  const { id } = await addVlessInbound(panel.api);
  inboundId = id;
});
afterAll(() => disposePanel(panel));

const items = (name: string) =>
  Array.from({ length: COUNT }, (_, at) => ({ client: { email: `${name}-${at}` }, inboundIds: [inboundId] }));
const jobs = () => panel.api.get<Job[]>('/panel/api/jobs');
const clients = async () => (await panel.api.get<{ total: number }>('/panel/api/clients/list/paged')).total;
const pid = async () => (await panel.api.get<{ appStats: { pid: number } }>('/panel/api/server/status')).appStats.pid;

test('a panel killed in the middle of two jobs has done neither by half, and the next one reports both', async () => {
  const calls = Promise.allSettled([
    panel.api.post('/panel/api/clients/bulkCreate', items('first')),
    panel.api.post('/panel/api/clients/bulkCreate', items('second')),
  ]);
  const running = await waitFor('the first job under way and the second behind it', async () => {
    const found = await jobs();
    return found.length === 2 && found.some(({ done }) => done > 0) ? found : undefined;
  });
  expect(running.map(({ state }) => state)).toEqual(['running', 'running']);
  const before = await pid();
  process.kill(before, 'SIGKILL');
  expect((await calls).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await waitFor('the panel after its kill', async () => (await pid()) !== before);

  const reported = await jobs();
  expect(reported.map(({ id, state, errorCode }) => ({ id, state, errorCode }))).toEqual(
    running.map(({ id }) => ({ id, state: 'failed', errorCode: 'job.interrupted' })),
  );
  for (const { startedAt, finishedAt } of reported) expect(finishedAt).toBeGreaterThanOrEqual(startedAt);
  expect(await clients()).toBe(0);
  // Interrupted jobs can be repeated, all of them.
  expect(await panel.api.post('/panel/api/clients/bulkCreate', items('first'))).toMatchObject({ created: COUNT });
  expect(await clients()).toBe(COUNT);
});

test('progress of a job never goes back, and cancelling it leaves everything as it was', async () => {
  const call = panel.api.post('/panel/api/clients/bulkCreate', items('third')).catch(String);
  const seen: Job[] = [];
  await waitFor(
    'half of the job',
    async () => {
      const job = (await jobs()).find(({ state }) => state === 'running');
      if (job === undefined) return false;
      seen.push(job);
      return job.done >= COUNT / 2;
    },
    30_000,
    5,
  );
  const { id } = seen.at(-1)!;
  await panel.api.post(`/panel/api/jobs/${id}/cancel`);
  expect(await call).toContain('The work was cancelled; nothing has been changed.');
  report(`${seen.length} looks at the progress of one job`);
  const progress = seen.map(({ done }) => done);
  expect(progress.toSorted((a, b) => a - b)).toEqual(progress);
  expect(new Set(progress).size).toBeGreaterThan(3);
  expect((await jobs()).find((job) => job.id === id)?.state).toBe('cancelled');
  expect(await clients()).toBe(COUNT);
});
