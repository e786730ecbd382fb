import type { StepState, VerbAsk, VerbStep, JobView } from '../../bridge/jobs.ts';
import { fewAtATime } from '../jobs/few-at-a-time.ts';
import type { PanelCalls } from '../jobs/panel-calls.ts';
import { say, messageOf, JobFailure } from '../jobs/job-failure.ts';
import type { Progress, JobList } from '../jobs/job-list.ts';
import { planOnPanel, runOnPanel, type Planned } from './verb-calls.ts';

/** Panels worked on at the same time. */
const MOST_AT_ONCE = 4;

interface Run {
  ask: VerbAsk;
  steps: Map<string, VerbStep & Pick<Planned, 'emails' | 'marks'>>;
  /** The present job, or the last one. */
  jobId: string;
}

/** Actions on several panels: planned, run, and each failed one repeated alone. */
export function createVerbs(
  jobs: JobList,
  open: (panelId: string) => PanelCalls,
  backUp: (panelId: string) => Promise<void>,
) {
  const runs = new Map<string, Run>();

  function runOf(id: string): Run {
    const run = runs.get(id);
    if (run === undefined) throw new JobFailure('interrupted');
    return run;
  }
  const stepsOf = ({ steps }: Run): VerbStep[] =>
    [...steps.values()].map(({ panelId, state, count, notes }) => ({ panelId, state, count, notes }));

  /** Works on few panels at a time: one that hangs or fails does not hold up the others. */
  async function onEach(
    run: Run,
    panelIds: readonly string[],
    progress: Progress<VerbStep[]>,
    work: (calls: PanelCalls, panelId: string) => Promise<void>,
  ): Promise<void> {
    let done = 0;
    progress.count(0, panelIds.length);
    await fewAtATime(panelIds, MOST_AT_ONCE, async (panelId) => {
      if (progress.signal.aborted) set(run, panelId, 'cancelled', []);
      else
        try {
          const calls = open(panelId);
          await work(calls, panelId).finally(() => calls.close());
        } catch (error) {
          set(run, panelId, 'failed', [messageOf(error)]);
        }
      progress.count((done += 1), panelIds.length);
      progress.show(stepsOf(run));
    });
    progress.stopIfCancelled();
  }

  async function doOn(
    calls: PanelCalls,
    panelId: string,
    ask: VerbAsk,
    emails: readonly string[],
    signal: AbortSignal,
  ) {
    if (ask.verb !== 'backup') return runOnPanel(calls, { ...ask, verb: ask.verb }, emails, signal);
    await backUp(panelId);
    return [say('changed', { count: 1 })];
  }

  function set(run: Run, panelId: string, state: StepState, notes: VerbStep['notes']): void {
    Object.assign(run.steps.get(panelId)!, { state, notes });
  }

  function start(run: Run, panelIds: readonly string[]): void {
    for (const panelId of panelIds) set(run, panelId, 'running', []);
    const job = jobs.start<VerbStep[]>(async (progress) => {
      await onEach(run, panelIds, progress, async (calls, panelId) => {
        const { emails } = run.steps.get(panelId)!;
        set(run, panelId, 'done', await doOn(calls, panelId, run.ask, emails, progress.signal));
      });
    });
    run.jobId = job.id;
  }

  return {
    plan(ask: VerbAsk): string {
      const steps: Run['steps'] = new Map(
        ask.panelIds.map((panelId) => [
          panelId,
          { panelId, state: 'running', count: 0, notes: [], emails: [], marks: new Map() },
        ]),
      );
      const run: Run = { ask, steps, jobId: '' };
      const job = jobs.start<VerbStep[]>((progress) =>
        onEach(run, ask.panelIds, progress, async (calls, panelId) => {
          const planned = await planOnPanel(calls, ask);
          const state = planned.count === 0 ? 'nothing' : 'waiting';
          Object.assign(run.steps.get(panelId)!, planned, { state });
        }),
      );
      run.jobId = job.id;
      runs.set(job.id, run);
      return job.id;
    },
    /** Runs the plan; panels without steps, or that could not be read, are left alone. */
    run(id: string): void {
      const run = runOf(id);
      if (jobs.find(run.jobId).view().state === 'running') return;
      const waiting = [...run.steps.values()].filter(({ state }) => state === 'waiting');
      if (waiting.length > 0)
        start(
          run,
          waiting.map(({ panelId }) => panelId),
        );
    },
    /** Plans and runs it once more on one panel. */
    retry({ id, panelId }: { id: string; panelId: string }): void {
      const run = runOf(id);
      const step = run.steps.get(panelId);
      if (step === undefined || jobs.find(run.jobId).view().state === 'running') return;
      if (step.state !== 'failed' && step.state !== 'cancelled') return;
      set(run, panelId, 'running', []);
      const job = jobs.start<VerbStep[]>((progress) =>
        onEach(run, [panelId], progress, async (calls) => {
          const { count, emails, marks, notes } = await planOnPanel(calls, run.ask);
          // The first try may have changed them before its answer was lost.
          const isMoved = (email: string): boolean => (step.marks.get(email) ?? marks.get(email)) !== marks.get(email);
          const left = run.ask.verb === 'extend' ? emails.filter((email) => !isMoved(email)) : emails;
          if (step.marks.size === 0) step.marks = marks;
          Object.assign(step, { count, emails });
          if (count === 0) return set(run, panelId, 'nothing', notes);
          const answers =
            count > 0 && emails.length > 0 && left.length === 0
              ? []
              : await doOn(calls, panelId, run.ask, left, progress.signal);
          const moved = emails.length - left.length;
          set(run, panelId, 'done', moved === 0 ? answers : [...answers, say('alreadyMoved', { count: moved })]);
        }),
      );
      run.jobId = job.id;
    },
    view(id: string): JobView<VerbStep[]> {
      const run = runOf(id);
      const { state, done, total, trouble } = jobs.find(run.jobId).view();
      return { id, state, done, total, trouble, result: stepsOf(run) };
    },
    cancel: (id: string): void => jobs.find(runs.get(id)?.jobId ?? id).cancel(),
  };
}
