import type { VerbRequest, VerbStep, JobView } from '../../bridge/jobs.ts';
import type { PanelCalls } from '../jobs/panel-calls.ts';
import { say, JobFailure } from '../jobs/job-failure.ts';
import type { JobList } from '../jobs/job-list.ts';
import { planOnPanel, runOnPanel } from './verb-calls.ts';
import { createVerbRun, type VerbRun } from './verb-run.ts';

/** Each holds the names of its clients: only the last ones can be read, as with jobs. */
const MAX_RUNS = 50;

/** Actions on several panels: planned, run, and each failed one repeated alone. */
export function createVerbs(
  jobs: JobList,
  open: (panelId: string) => PanelCalls,
  backUp: (panelId: string) => Promise<void>,
) {
  const runs = new Map<string, VerbRun>();

  function runOf(id: string): VerbRun {
    const run = runs.get(id);
    if (run === undefined) throw new JobFailure('interrupted');
    return run;
  }

  async function doOn(
    calls: PanelCalls,
    panelId: string,
    request: VerbRequest,
    emails: readonly string[],
    signal: AbortSignal,
  ) {
    if (request.verb !== 'backup') return runOnPanel(calls, { ...request, verb: request.verb }, emails, signal);
    await backUp(panelId);
    return [say('changed', { count: 1 })];
  }

  function start(run: VerbRun, panelIds: readonly string[]): void {
    for (const panelId of panelIds) run.set(panelId, 'running', []);
    const job = jobs.start<VerbStep[]>(async (progress) => {
      await run.onEach(panelIds, progress, async (calls, panelId) => {
        const { emails } = run.step(panelId)!;
        run.set(panelId, 'done', await doOn(calls, panelId, run.request, emails, progress.signal));
      });
    });
    run.jobId = job.id;
  }

  return {
    plan(request: VerbRequest): string {
      const run = createVerbRun(request, open);
      const job = jobs.start<VerbStep[]>((progress) =>
        run.onEach(request.panelIds, progress, async (calls, panelId) => {
          const planned = await planOnPanel(calls, request);
          const state = planned.count === 0 ? 'nothing' : 'waiting';
          Object.assign(run.step(panelId)!, planned, { state });
        }),
      );
      run.jobId = job.id;
      runs.set(job.id, run);
      for (const old of runs.keys()) if (runs.size > MAX_RUNS) runs.delete(old);
      return job.id;
    },
    /** Runs the plan; panels without steps, or that could not be read, are left alone. */
    run(id: string): void {
      const run = runOf(id);
      if (jobs.find(run.jobId).view().state === 'running') return;
      const waiting = run.waiting();
      if (waiting.length > 0) start(run, waiting);
    },
    /** Plans and runs it once more on one panel. */
    retry({ id, panelId }: { id: string; panelId: string }): void {
      const run = runOf(id);
      const step = run.step(panelId);
      if (step === undefined || jobs.find(run.jobId).view().state === 'running') return;
      if (step.state !== 'failed' && step.state !== 'cancelled') return;
      run.set(panelId, 'running', []);
      const job = jobs.start<VerbStep[]>((progress) =>
        run.onEach([panelId], progress, async (calls) => {
          const { count, emails, marks, notes } = await planOnPanel(calls, run.request);
          // The first try may have changed them before its response was lost.
          const isMoved = (email: string): boolean => (step.marks.get(email) ?? marks.get(email)) !== marks.get(email);
          const left = run.request.verb === 'extend' ? emails.filter((email) => !isMoved(email)) : emails;
          if (step.marks.size === 0) step.marks = marks;
          Object.assign(step, { count, emails });
          if (count === 0) return run.set(panelId, 'nothing', notes);
          const results =
            count > 0 && emails.length > 0 && left.length === 0
              ? []
              : await doOn(calls, panelId, run.request, left, progress.signal);
          const moved = emails.length - left.length;
          run.set(panelId, 'done', moved === 0 ? results : [...results, say('alreadyMoved', { count: moved })]);
        }),
      );
      run.jobId = job.id;
    },
    view(id: string): JobView<VerbStep[]> {
      const run = runOf(id);
      const { state, done, total, trouble } = jobs.find(run.jobId).view();
      return { id, state, done, total, trouble, result: run.shown() };
    },
    cancel: (id: string): void => jobs.find(runs.get(id)?.jobId ?? id).cancel(),
  };
}
