import type { JobView, TransferRequest, TransferChoices, TransferPlan } from '../../bridge/jobs.ts';
import { JobFailure } from '../jobs/job-failure.ts';
import type { JobList } from '../jobs/job-list.ts';
import { planTransfer } from './plan-transfer.ts';
import { readTransfer, type TransferReading } from './read-transfer.ts';
import type { WithBoth } from './with-both.ts';

const NO_CHOICES: TransferChoices = { ports: {}, emails: {}, isProbed: true };
/** Plans hold secrets: only the last few are kept. */
const MAX_PLANS = 4;

interface Planned {
  request: TransferRequest;
  reading: TransferReading | null;
  choices: TransferChoices;
  toHost: string;
}

interface TransferPlansDeps {
  jobs: JobList;
  withBoth: WithBoth;
  /** Whether the journal outlives the application. */
  isKept: boolean;
}

/** Transfers that were planned and have not run: made from a reading of both panels and the operator's choices. */
export function createTransferPlans({ jobs, withBoth, isKept }: TransferPlansDeps) {
  const plans = new Map<string, Planned>();

  function planOf(id: string): Planned {
    const plan = plans.get(id);
    if (plan === undefined) throw new JobFailure('interrupted');
    return plan;
  }

  function make({ reading, request, choices, toHost }: Planned) {
    if (reading === null) throw new JobFailure('interrupted');
    return planTransfer(reading, request, choices, { toHost, isProtected: isKept });
  }

  return {
    /** Starts reading both panels. @returns the id of the job and of the plan. @throws {JobFailure} for the same panel twice */
    plan(request: TransferRequest): string {
      if (request.fromId === request.toId) throw new JobFailure('samePanel');
      const planned: Planned = { request, reading: null, choices: NO_CHOICES, toHost: '' };
      const job = jobs.start<TransferPlan>((progress) =>
        withBoth(request, async (from, to) => {
          planned.toHost = to.host ?? '';
          planned.reading = await readTransfer(from, to, request, progress);
          progress.show(make(planned).plan);
        }),
      );
      plans.set(job.id, planned);
      for (const old of plans.keys()) if (plans.size > MAX_PLANS) plans.delete(old);
      return job.id;
    },
    /** The job as it is now, with the plan once both panels are read. */
    planView: (id: string): JobView<TransferPlan> => {
      const view = jobs.find(id).view() as JobView<TransferPlan>;
      const planned = plans.get(id);
      return planned?.reading === undefined || planned.reading === null
        ? view
        : { ...view, result: make(planned).plan };
    },
    /** The plan made anew with these choices. @throws {JobFailure} when it is gone, or not read yet */
    choose({ id, choices }: { id: string; choices: TransferChoices }): TransferPlan {
      const planned = planOf(id);
      planned.choices = choices;
      return make(planned).plan;
    },
    /** Takes a plan to run it. @throws {JobFailure} when it is gone, or was not read to its end */
    take(planId: string) {
      const planned = planOf(planId);
      const { request, choices } = planned;
      const { prepared } = make(planned);
      // Runs once: a second click does not start a second transfer.
      plans.delete(planId);
      return { request, choices, prepared };
    },
  };
}
