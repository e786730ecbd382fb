import type { SealedStore } from '../store/sealed-store.ts';
import type { PanelTarget } from '../messages.ts';
import { linkTo } from '../read-panel.ts';
import { createComparisons } from '../compare/compare-panels.ts';
import { createTransfers } from '../transfer/transfers.ts';
import { createVerbs } from '../verbs/verbs.ts';
import { createPanelCalls, type PanelCalls } from './panel-calls.ts';
import { WorkFailure } from './work-failure.ts';
import { createWorkList } from './work-list.ts';
import type { WorkQuestion, WorkQuestions } from './work-questions.ts';

/** Work on several panels at once, each with a way of its own: it disturbs no reading. */
export function createWorks(deps: {
  store: SealedStore;
  isKept: boolean;
  targetOf: (panelId: string) => PanelTarget | undefined;
  /** While there is work the process does not end by itself. */
  onBusy: (isBusy: boolean) => void;
  /** Pulls a backup of a panel to this computer. @throws {Error} */
  backUp: (panelId: string) => Promise<void>;
  clock: () => number;
}) {
  const works = createWorkList(deps.onBusy);

  function open(panelId: string): PanelCalls {
    const target = deps.targetOf(panelId);
    if (target === undefined) throw new WorkFailure('unknownPanel');
    const link = linkTo(target, () => undefined);
    if (link === null) throw new WorkFailure('notRunning');
    const isLocal = target.kind === 'local';
    const host = isLocal ? '127.0.0.1' : new URL(target.saved.address).hostname.replaceAll(/[[\]]/g, '');
    return createPanelCalls(link, !isLocal && target.saved.signIn === 'session', host);
  }

  const verbs = createVerbs(works, open, deps.backUp);
  const transfers = createTransfers({ works, open, store: deps.store, isKept: deps.isKept, clock: deps.clock });
  const comparisons = createComparisons(works, open);
  const answers: { [V in keyof WorkQuestions]: (ask: WorkQuestions[V]['ask']) => unknown } = {
    planVerb: (ask) => verbs.plan(ask),
    runVerb: (ask) => verbs.run(ask),
    retryVerb: (ask) => verbs.retry(ask),
    verb: (ask) => verbs.view(ask),
    planTransfer: (ask) => transfers.plan(ask),
    transferPlan: (ask) => transfers.planView(ask),
    chooseTransfer: (ask) => transfers.choose(ask),
    runTransfer: (ask) => transfers.run(ask),
    transfer: (ask) => transfers.view(ask),
    unfinished: () => transfers.unfinished(),
    settle: (ask) => transfers.settle(ask),
    forget: (ask) => transfers.forget(ask),
    compare: (ask) => comparisons.start(ask),
    comparison: (ask) => comparisons.view(ask),
    takeLine: (ask) => comparisons.take(ask),
    cancel: (ask) => verbs.cancel(ask),
  };

  return {
    /** @throws {WorkFailure} */
    answer: ({ verb, ask }: WorkQuestion): unknown => (answers[verb] as (asked: unknown) => unknown)(ask),
    /** The panels are known: what an earlier run left is brought to an end. */
    settle: (): void => transfers.settleAll(),
  };
}
