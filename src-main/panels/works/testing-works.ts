import { expect } from 'vitest';
import { API_TOKEN } from '../../../src-server/testing/credentials.ts';
import type { TransferAsk, WorkView } from '../../bridge/works.ts';
import { SavedConnection } from '../../connections/connection.ts';
import type { PanelTarget } from '../messages.ts';
import type { SealedStore } from '../store/sealed-store.ts';
import type { WorkQuestions } from './work-questions.ts';
import { createWorks } from './works.ts';

/** A saved panel. */
export const target = (id: string, address: string, token = API_TOKEN): PanelTarget => ({
  kind: 'remote',
  saved: SavedConnection.parse({
    id,
    name: id,
    color: 'blue',
    address,
    signIn: 'token',
    trust: { mode: 'verify' },
    lastUsedAtMs: 0,
  }),
  secrets: { token },
});

/** A copy of everything on the named inbounds, from `here` to `there`. */
export const transfer = (more: Partial<TransferAsk> = {}): TransferAsk => ({
  fromId: 'here',
  toId: 'there',
  mode: 'copy',
  inboundIds: [],
  withClients: true,
  emails: [],
  ontoInboundIds: [],
  ...more,
});

type Viewed = {
  [V in keyof WorkQuestions]: WorkQuestions[V]['answer'] extends WorkView<unknown> ? V : never;
}[keyof WorkQuestions];

/** Works on panels as the process that reads them has them, asked as the page asks. */
export function openWorks(
  store: SealedStore,
  targets: ReadonlyMap<string, PanelTarget>,
  backUp: (panelId: string) => Promise<void> = async () => undefined,
) {
  const works = createWorks({
    store,
    isKept: true,
    targetOf: (id) => targets.get(id),
    onBusy: () => undefined,
    backUp,
    clock: Date.now,
  });
  const ask = <V extends keyof WorkQuestions>(verb: V, asked: WorkQuestions[V]['ask']): WorkQuestions[V]['answer'] =>
    works.answer({ verb, ask: asked } as never) as WorkQuestions[V]['answer'];
  /** The view of work that has ended. */
  async function ended<V extends Viewed>(verb: V, id: string): Promise<WorkQuestions[V]['answer']> {
    await expect.poll(() => (ask(verb, id as never) as WorkView<unknown>).state).not.toMatch(/running|undoing/);
    return ask(verb, id as never);
  }
  return {
    answer: works.answer,
    settle: works.settle,
    ask,
    ended,
    planned: (asked: TransferAsk) => ended('transferPlan', ask('planTransfer', asked)),
    /** Does what was planned; without the trial of new ports. */
    done(planId: string) {
      const plan = ask('transferPlan', planId).result!;
      ask('chooseTransfer', { id: planId, choices: { ...plan.choices, isProbed: false } });
      return ended('transfer', ask('runTransfer', planId));
    },
  };
}
export type TestWorks = ReturnType<typeof openWorks>;
