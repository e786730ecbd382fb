import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { testFolder } from '../../testing/for-each-test.ts';
import { recordingLogger } from '../../testing/test-store.ts';
import { openJobJournal } from './journal.ts';
import { createJobService } from './service.ts';

const DAY_MS = 86_400_000;
let folder: string;
let path: string;
let nowMs: number;
let log: ReturnType<typeof recordingLogger>;
beforeEach(async () => {
  folder = await testFolder();
  path = join(folder, 'running-jobs.json');
  nowMs = 1_700_000_000_000;
  log = recordingLogger();
});

/** A panel over the folder; nothing is written when it dies. */
async function panel() {
  const journal = await openJobJournal(path, log);
  const jobs = createJobService({ clock: () => nowMs, publish: () => {}, log, journal, textOf: ({ code }) => code });
  return { jobs, journal };
}

/** Work that ends when the test says so, or when it is asked to stop. */
function held(title: string) {
  let finish = (): void => {};
  const run = ({ signal }: { signal: AbortSignal }) =>
    new Promise<void>((resolve, reject) => {
      finish = resolve;
      signal.addEventListener('abort', () => reject(new Error('stopped')));
    });
  return { work: { kind: 'test', title, run }, finish: () => finish() };
}

test('jobs left unfinished by a killed panel are listed by the next one, and by later ones for a day', async () => {
  const first = await panel();
  const lasting = held('lasting');
  const short = held('short');
  const { id } = first.jobs.start(lasting.work);
  const ended = first.jobs.start(short.work);
  short.finish();
  await ended.ended;
  await first.journal.idle();

  nowMs += 5_000;
  const second = await panel();
  const interrupted = {
    id,
    kind: 'test',
    title: 'lasting',
    state: 'failed',
    startedAt: nowMs - 5_000,
    finishedAt: nowMs,
    error: 'job.interrupted',
    errorCode: 'job.interrupted',
  };
  expect(second.jobs.list()).toMatchObject([interrupted]);
  expect(second.jobs.get(id)).toMatchObject({ ...interrupted, result: null });
  expect(() => second.jobs.cancel(id)).toThrow('job.ended');
  await second.jobs.start({ kind: 'test', title: 'new', run: async () => null }).ended;
  await second.journal.idle();

  expect((await panel()).jobs.list()).toMatchObject([{ id, errorCode: 'job.interrupted' }]);
  nowMs += DAY_MS;
  const late = await panel();
  expect(late.jobs.list()).toEqual([]);
  await late.journal.idle();
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual([]);
  lasting.finish();
});

test('a job ended by a stop stays noted; one cancelled by hand or ended in time does not', async () => {
  const first = await panel();
  const stopped = held('stopped');
  const cancelled = held('cancelled');
  const finished = held('finished');
  first.jobs.start(stopped.work);
  first.jobs.cancel(first.jobs.start(cancelled.work).id);
  first.jobs.start({ ...finished.work, run: async () => 'in time' });
  first.jobs.cancelAll();
  await first.jobs.close();
  expect((await panel()).jobs.list()).toMatchObject([{ title: 'stopped', state: 'failed' }]);
});

test.each(['', '{', '[{"id":5}]', '{"a":1}', 'null'])('a journal of %j counts as empty', async (text) => {
  await writeFile(path, text);
  const { jobs, journal } = await panel();
  expect(jobs.list()).toEqual([]);
  await jobs.start({ kind: 'test', title: 'works', run: async () => null }).ended;
  await journal.idle();
  expect(await readFile(path, 'utf8')).toBe('[]');
});

test('a folder that cannot be written to is logged, and jobs still run', async () => {
  const journal = await openJobJournal(join(folder, 'nowhere', 'jobs.json'), log);
  const jobs = createJobService({ clock: () => nowMs, publish: () => {}, log, journal });
  expect(await jobs.start({ kind: 'test', title: 'works', run: async () => 7 }).ended).toMatchObject({ result: 7 });
  await journal.idle();
  expect(log.lines.map(({ event }) => event)).toContain('jobs.notNoted');
});
