import { afterEach, beforeEach, expect, test } from 'vitest';
import { DomainError } from '../../contract/domain-error.ts';
import type { PanelEvent } from '../../contract/events.ts';
import { recordingLogger } from '../../testing/test-store.ts';
import { serveRoutes, type ServedRoutes } from '../../testing/peers/serve-routes.ts';
import type { Job, JobWithResult } from './contract.ts';
import { jobRoutes } from './routes.ts';
import { createJobService, type JobService, type RunningJob } from './service.ts';
import { texts } from './texts.ts';

let nowMs: number;
let events: PanelEvent[];
let errors: string[];
let jobs: JobService;
let panel: ServedRoutes;

beforeEach(async () => {
  nowMs = 1_000_000;
  events = [];
  errors = [];
  jobs = createJobService({
    clock: () => nowMs,
    publish: (event) => events.push(event),
    log: { ...recordingLogger(), error: (event) => void errors.push(event) },
    textOf: ({ code, params }) => `${code} ${JSON.stringify(params)}`,
  });
  panel = await serveRoutes((ctx) => jobRoutes(ctx, jobs), texts);
});
afterEach(() => panel.close());

const objOf = async <T>(response: Promise<unknown>): Promise<T> => ((await response) as { obj: T }).obj;
const lastLive = (): Job[] => {
  const event = events.at(-1);
  if (event?.type !== 'live' || event.message !== 'jobs') throw new Error('no live message of jobs');
  return event.data as Job[];
};

/** A job controlled by the test. */
function held() {
  let finish = (_result: unknown): void => {};
  let fail = (_error: unknown): void => {};
  let running: RunningJob | undefined;
  const started = jobs.start({
    kind: 'test',
    title: 'A test',
    run: (job) => {
      running = job;
      return new Promise((resolve, reject) => {
        finish = resolve;
        fail = reject;
      });
    },
  });
  return { started, finish: (result: unknown) => finish(result), fail: (error: unknown) => fail(error), job: running! };
}

test('a job is followed by id from its start to its result', async () => {
  const { started, finish, job } = held();
  expect(started).toMatchObject({ state: 'running', kind: 'test', title: 'A test', startedAt: nowMs, finishedAt: 0 });
  expect(lastLive()).toHaveLength(1);
  nowMs += 500;
  job.report({ done: 3, total: 10, stage: 'halfway' });
  expect(lastLive()).toMatchObject([{ done: 3, total: 10, stage: 'halfway' }]);
  const published = events.length;
  job.report({ done: 4, total: 10 });
  expect(events).toHaveLength(published);
  expect(await objOf<Job[]>(panel.get('/panel/api/jobs'))).toMatchObject([{ id: started.id, done: 4 }]);
  finish({ created: 7 });
  expect(await started.ended).toMatchObject({ state: 'done', finishedAt: nowMs, result: { created: 7 } });
  expect(lastLive()).toMatchObject([{ state: 'done' }]);
  expect(lastLive()[0]).not.toHaveProperty('result');
  expect(await objOf<JobWithResult>(panel.get(`/panel/api/jobs/${started.id}`))).toMatchObject({
    state: 'done',
    result: { created: 7 },
  });
});

test('an expected failure shows its text, an unexpected one a reference and a log line', async () => {
  const expected = held();
  expected.fail(new DomainError('client.notFound', { email: 'a' }));
  expect(await expected.started.ended).toMatchObject({
    state: 'failed',
    error: 'client.notFound {"email":"a"}',
    errorCode: 'client.notFound',
    errorParams: { email: 'a' },
  });
  expect(errors).toEqual([]);
  const bug = held();
  bug.fail(new TypeError('secret detail'));
  const failed = await bug.started.ended;
  expect(failed).toMatchObject({ state: 'failed', errorCode: '' });
  expect(failed.error).toBe(`unexpected error (reference ${bug.started.id})`);
  expect(errors).toEqual(['jobs.failed']);
});

test('cancel aborts the signal once; jobs that cannot be cancelled are refused with their title', async () => {
  const { started, fail, job } = held();
  const cancel = () => panel.post(`/panel/api/jobs/${started.id}/cancel`);
  expect(await cancel()).toMatchObject({ success: true, obj: { state: 'running', isCancelling: true } });
  expect(job.signal.aborted).toBe(true);
  fail(new Error('stopped'));
  expect(await started.ended).toMatchObject({ state: 'cancelled', error: '' });
  expect(errors).toEqual([]);
  expect(await cancel()).toMatchObject({ success: false, msg: texts['job.ended'] });
  expect(await panel.post('/panel/api/jobs/none/cancel')).toMatchObject({ success: false, msg: texts['job.unknown'] });
  expect(await panel.get('/panel/api/jobs/__proto__')).toMatchObject({ success: false, msg: texts['job.unknown'] });
});

test('only the last ended jobs are kept; running ones always are', async () => {
  const { started, finish } = held();
  for (let count = 0; count < 40; count++)
    await jobs.start({ kind: 'k', title: String(count), run: async () => count }).ended;
  expect(jobs.list()).toHaveLength(31);
  expect(jobs.list()[0]?.title).toBe('39');
  expect(jobs.get(started.id).state).toBe('running');
  finish(null);
  await jobs.close();
});

test('a long job is listed after its end, however many began and ended meanwhile', async () => {
  const long = held();
  for (let count = 0; count < 40; count++) {
    const { started, finish } = held();
    nowMs += 1_000;
    finish(null);
    await started.ended;
  }
  nowMs += 1_000;
  long.finish({ created: 7 });
  await long.started.ended;
  expect(await objOf<JobWithResult>(panel.get(`/panel/api/jobs/${long.started.id}`))).toMatchObject({
    state: 'done',
    result: { created: 7 },
  });
  expect(lastLive()).toHaveLength(30);
});

test('closing cancels running jobs and waits for them', async () => {
  const { started, fail, job } = held();
  job.signal.addEventListener('abort', () => fail(new Error('stopped')));
  await jobs.close();
  expect(jobs.get(started.id).state).toBe('cancelled');
});

test('running jobs can be asked to end without being waited for', async () => {
  const { started, fail, job } = held();
  jobs.cancelAll();
  expect(job.signal.aborted).toBe(true);
  expect(jobs.get(started.id).state).toBe('running');
  fail(new Error('stopped'));
  expect(await started.ended).toMatchObject({ state: 'cancelled' });
});
