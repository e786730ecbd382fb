import { randomBytes } from 'node:crypto';
import { createAddSteps, type AddStep } from './add-steps.ts';
import { button, numberIn, type Actions, type Chat } from './chat.ts';
import type { ClientActions } from './client-actions.ts';
import type { ClientDraft, Conversation } from './conversations.ts';
import { bytesOfGb, movedExpiry, numberTyped } from './limits.ts';
import type { BotTools } from './tools.ts';

/** Creates a client step by step. Each chat has its own draft. */
export function createAddClient(tools: BotTools, { sendLinks }: Pick<ClientActions, 'sendLinks'>) {
  const { panel, say, label, conversations, clock, log } = tools;
  const showStep = createAddSteps(tools);

  function questionOf(chat: Chat): { step: AddStep; draft: ClientDraft } | null {
    const conversation = conversations.of(chat.id);
    return conversation?.kind === 'add' ? conversation : null;
  }

  async function goTo(chat: Chat, step: AddStep, draft: ClientDraft): Promise<void> {
    conversations.begin(chat.id, { kind: 'add', step, draft });
    await showStep(chat, step, draft);
  }

  /** A plan sets quota and term, and usually inbounds. */
  async function takeEmail(chat: Chat, draft: ClientDraft): Promise<void> {
    await goTo(chat, (await panel.plans()).length > 0 ? 'plan' : 'inbounds', { ...draft, page: 1 });
  }

  async function takePlan(chat: Chat, draft: ClientDraft, id: number): Promise<void> {
    const plan = (await panel.plans()).find((one) => one.id === id) ?? null;
    const hasInbounds = plan !== null && plan.inboundIds.length > 0;
    const inboundIds = hasInbounds ? new Set(plan.inboundIds) : draft.inboundIds;
    await goTo(chat, hasInbounds ? 'confirm' : 'inbounds', { ...draft, plan, inboundIds, page: 1 });
  }

  async function takeQuota(chat: Chat, draft: ClientDraft, gb: number | null): Promise<void> {
    const quotaBytes = gb === null ? null : bytesOfGb(gb);
    if (quotaBytes === null) await chat.send([say('number.bad')]);
    else await goTo(chat, 'expiry', { ...draft, quotaBytes });
  }

  async function takeDays(chat: Chat, draft: ClientDraft, days: number | null): Promise<void> {
    if (days === null || days < 0) await chat.send([say('number.bad')]);
    else await goTo(chat, 'confirm', { ...draft, days });
  }

  async function create(chat: Chat, { email, inboundIds, quotaBytes, days, plan }: ClientDraft): Promise<void> {
    const limits =
      plan === null ? { totalGB: quotaBytes, expiryTime: movedExpiry(0, days, clock()) ?? 0 } : { planId: plan.id };
    await panel.add({ email, ...limits }, [...inboundIds]);
    conversations.end(chat.id);
    const id = (await panel.idsOf([email])).get(email);
    log.info('bot.clientAdded', { chat: chat.id, client: id });
    const client = id === undefined ? null : await panel.clientById(id);
    if (client === null) return;
    await chat.show(say('add.done', { email }), [[button(email, 'card', client.record.recordId)]]);
    await sendLinks(chat, client);
  }

  /** An answer to a question of this draft; an expired draft says so. */
  const withDraft =
    (act: (chat: Chat, draft: ClientDraft, value: number, step: AddStep) => Promise<void>) =>
    async (chat: Chat, [value]: readonly string[]): Promise<void> => {
      const question = questionOf(chat);
      if (question === null) chat.notice(label('outdated'));
      else await act(chat, question.draft, numberIn(value), question.step);
    };

  const actions: Actions = {
    add: (chat) =>
      goTo(chat, 'email', { email: '', plan: null, inboundIds: new Set(), page: 1, quotaBytes: 0, days: 0 }),
    addrandom: withDraft((chat, draft) => takeEmail(chat, { ...draft, email: randomBytes(4).toString('hex') })),
    addplan: withDraft(takePlan),
    addin: withDraft(async (chat, draft, id) => {
      const inboundIds = new Set(draft.inboundIds);
      if (!inboundIds.delete(id)) inboundIds.add(id);
      await goTo(chat, 'inbounds', { ...draft, inboundIds });
    }),
    addpage: withDraft((chat, draft, page, step) => goTo(chat, step, { ...draft, page: Math.max(1, page) })),
    addnext: withDraft(async (chat, draft) => {
      if (draft.inboundIds.size === 0) chat.notice(label('add.noInbound'));
      else await goTo(chat, draft.plan === null ? 'quota' : 'confirm', draft);
    }),
    addquota: withDraft(takeQuota),
    adddays: withDraft(takeDays),
    addgo: withDraft(create),
  };

  return {
    actions,
    /** Handles the text typed for a step. */
    async typed(chat: Chat, { step, draft }: Extract<Conversation, { kind: 'add' }>, text: string): Promise<void> {
      const email = text.trim();
      if (step === 'email' && email !== '' && !/\s/.test(email)) await takeEmail(chat, { ...draft, email });
      else if (step === 'quota') await takeQuota(chat, draft, numberTyped(text));
      else if (step === 'expiry') await takeDays(chat, draft, numberTyped(text));
      else await goTo(chat, step, draft);
    },
  };
}
