import type { StepState, VerbRequest, VerbStep } from '../../bridge/jobs.ts';
import { fewAtATime } from '../jobs/few-at-a-time.ts';
import { messageOf } from '../jobs/job-failure.ts';
import { Cancelled, type Progress } from '../jobs/job-list.ts';
import type { PanelCalls } from '../jobs/panel-calls.ts';
import type { Planned } from './verb-calls.ts';

/** Panels worked on at the same time. */
const MAX_AT_ONCE = 4;

type Step = VerbStep & Pick<Planned, 'emails' | 'marks'>;
export type VerbRun = ReturnType<typeof createVerbRun>;

/** One action on several panels, and how far each of them is. */
export function createVerbRun(request: VerbRequest, open: (panelId: string) => PanelCalls) {
  const steps = new Map<string, Step>(
    request.panelIds.map((panelId) => [
      panelId,
      { panelId, state: 'running', count: 0, notes: [], emails: [], marks: new Map() },
    ]),
  );

  function set(panelId: string, state: StepState, notes: VerbStep['notes']): void {
    Object.assign(steps.get(panelId)!, { state, notes });
  }
  const shown = (): VerbStep[] =>
    [...steps.values()].map(({ panelId, state, count, notes }) => ({ panelId, state, count, notes }));

  return {
    request,
    /** The present job, or the last one. */
    jobId: '',
    step: (panelId: string) => steps.get(panelId),
    set,
    /** The steps as the window shows them. */
    shown,
    waiting: () => [...steps.values()].filter(({ state }) => state === 'waiting').map(({ panelId }) => panelId),
    /** Works on few panels at a time: one that hangs or fails does not hold up the others. */
    async onEach(
      panelIds: readonly string[],
      progress: Progress<VerbStep[]>,
      work: (calls: PanelCalls, panelId: string) => Promise<void>,
    ): Promise<void> {
      let done = 0;
      progress.count(0, panelIds.length);
      await fewAtATime(panelIds, MAX_AT_ONCE, async (panelId) => {
        if (progress.signal.aborted) set(panelId, 'cancelled', []);
        else
          try {
            const calls = open(panelId);
            await work(calls, panelId).finally(() => calls.close());
          } catch (error) {
            if (error instanceof Cancelled) set(panelId, 'cancelled', []);
            else set(panelId, 'failed', [messageOf(error)]);
          }
        progress.count((done += 1), panelIds.length);
        progress.show(shown());
      });
      progress.stopIfCancelled();
    },
  };
}
