import type { SealedStore } from '../store/sealed-store.ts';
import type { PanelTarget } from '../messages.ts';
import { linkTo } from '../read-panel.ts';
import { createComparisons } from '../compare/compare-panels.ts';
import type { TransferNotes } from '../transfer/transfer-notes.ts';
import { createTransfers } from '../transfer/transfers.ts';
import { createVerbs } from '../verbs/verbs.ts';
import { createPanelCalls, type PanelCalls } from './panel-calls.ts';
import { JobFailure } from './job-failure.ts';
import { createJobList } from './job-list.ts';
import type { JobCall, JobCalls } from './job-calls.ts';

/** Jobs on several panels at once, over connections of their own, so that they do not disturb the readings. */
export function createJobs(deps: {
  store: SealedStore;
  isKept: boolean;
  notes: TransferNotes;
  targetOf: (panelId: string) => PanelTarget | undefined;
  /** While there is a job the process does not end by itself. */
  onBusy: (isBusy: boolean) => void;
  /** Pulls a backup of a panel to this computer. @throws {Error} */
  backUp: (panelId: string) => Promise<void>;
  clock: () => number;
}) {
  const jobs = createJobList(deps.onBusy);

  function open(panelId: string): PanelCalls {
    const target = deps.targetOf(panelId);
    if (target === undefined) throw new JobFailure('unknownPanel');
    const link = linkTo(target, () => undefined);
    if (link === null) throw new JobFailure('notRunning');
    const isLocal = target.kind === 'local';
    const host = isLocal ? '127.0.0.1' : new URL(target.saved.address).hostname.replaceAll(/[[\]]/g, '');
    return createPanelCalls(link, !isLocal && target.saved.signIn === 'session', host);
  }

  const verbs = createVerbs(jobs, open, deps.backUp);
  const transfers = createTransfers({ jobs, open, ...deps });
  const comparisons = createComparisons(jobs, open);
  const handlers: { [V in keyof JobCalls]: (params: JobCalls[V]['params']) => unknown } = {
    planVerb: (params) => verbs.plan(params),
    runVerb: (params) => verbs.run(params),
    retryVerb: (params) => verbs.retry(params),
    verb: (params) => verbs.view(params),
    planTransfer: (params) => transfers.plan(params),
    transferPlan: (params) => transfers.planView(params),
    chooseTransfer: (params) => transfers.choose(params),
    runTransfer: (params) => transfers.run(params),
    transfer: (params) => transfers.view(params),
    unfinished: () => transfers.unfinished(),
    settle: (params) => transfers.settle(params),
    forget: (params) => transfers.forget(params),
    compare: (params) => comparisons.start(params),
    comparison: (params) => comparisons.view(params),
    takeLine: (params) => comparisons.take(params),
    cancel: (params) => verbs.cancel(params),
  };

  return {
    /** @throws {JobFailure} */
    handle: ({ verb, params }: JobCall): unknown => (handlers[verb] as (input: unknown) => unknown)(params),
    /** Called when the panels are known: transfers that an earlier run left are completed or undone. */
    settle: (): void => transfers.settleAll(),
  };
}
