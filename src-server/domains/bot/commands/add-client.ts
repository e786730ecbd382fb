import { randomBytes } from 'node:crypto';
import { newTerm } from '../../clients/rules/plan-rules.ts';
import { nameOf } from './admin-lists.ts';
import { button, numberIn, rowsOf, type Actions, type Chat, type Keyboard } from './chat.ts';
import type { ClientActions } from './client-actions.ts';
import type { ClientDraft, Conversation } from './conversations.ts';
import { bytesOfGb, movedExpiry, numberTyped, QUOTAS_GB, TERMS_DAYS } from './limits.ts';
import type { BotTools } from './tools.ts';

/** The API allows a hundred buttons per message. */
const MOST_PLANS = 60;

type Step = Extract<Conversation, { kind: 'add' }>['step'];

/** Creates a client step by step. Each chat has its own draft. */
export function createAddClient(tools: BotTools, { sendLinks }: Pick<ClientActions, 'sendLinks'>) {
  const { panel, say, label, format, conversations, clock, log } = tools;
  const cancel = button(label('button.cancel'), 'menu');

  function draftOf(chat: Chat): ClientDraft | null {
    const conversation = conversations.of(chat.id);
    return conversation?.kind === 'add' ? conversation.draft : null;
  }

  const figures = (values: readonly number[], verb: string): Keyboard => [
    [button(label('button.unlimited'), verb, 0)],
    ...rowsOf(
      values.map((value) => button(String(value), verb, value)),
      4,
    ),
    [cancel],
  ];

  async function showPlans(chat: Chat, { email }: ClientDraft): Promise<void> {
    const plans = (await panel.plans()).slice(0, MOST_PLANS);
    const choices = plans.map(({ id, name }) => [button(name, 'addplan', id)]);
    await chat.show(say('add.plan', { email }), [...choices, [button(label('button.noPlan'), 'addplan', 0)], [cancel]]);
  }

  async function showInbounds(chat: Chat, { email, inboundIds }: ClientDraft): Promise<void> {
    const choices = (await panel.inbounds()).map((inbound) => [
      button(`${inboundIds.has(inbound.id) ? '☑️' : '⬜'} ${nameOf(inbound)}`, 'addin', inbound.id),
    ]);
    await chat.show(say('add.inbounds', { email }), [...choices, [button(label('button.next'), 'addnext'), cancel]]);
  }

  async function showAll(chat: Chat, draft: ClientDraft): Promise<void> {
    const { email, inboundIds, plan } = draft;
    const inbounds = (await panel.inbounds()).filter(({ id }) => inboundIds.has(id)).map(nameOf);
    const values = {
      email,
      quota: format.quota(plan?.quotaBytes ?? draft.quotaBytes),
      expiry: format.expiry(plan === null ? (movedExpiry(0, draft.days, clock()) ?? 0) : newTerm(plan, clock())),
      inbounds: inbounds.join(', '),
    };
    await chat.show(
      plan === null ? say('add.confirm', values) : say('add.confirmPlan', { ...values, plan: plan.name }),
      [[button(label('button.create'), 'addgo'), cancel]],
    );
  }

  async function goTo(chat: Chat, step: Step, draft: ClientDraft): Promise<void> {
    conversations.begin(chat.id, { kind: 'add', step, draft });
    const { email } = draft;
    if (step === 'email') await chat.show(say('add.email'), [[button(label('button.random'), 'addrandom')], [cancel]]);
    else if (step === 'plan') await showPlans(chat, draft);
    else if (step === 'inbounds') await showInbounds(chat, draft);
    else if (step === 'quota') await chat.show(say('add.quota', { email }), figures(QUOTAS_GB, 'addquota'));
    else if (step === 'expiry') await chat.show(say('add.expiry', { email }), figures(TERMS_DAYS, 'adddays'));
    else await showAll(chat, draft);
  }

  /** A plan sets quota and term, and usually inbounds. */
  async function takeEmail(chat: Chat, draft: ClientDraft): Promise<void> {
    await goTo(chat, (await panel.plans()).length > 0 ? 'plan' : 'inbounds', draft);
  }

  async function takePlan(chat: Chat, draft: ClientDraft, id: number): Promise<void> {
    const plan = (await panel.plans()).find((one) => one.id === id) ?? null;
    const hasInbounds = plan !== null && plan.inboundIds.length > 0;
    const inboundIds = hasInbounds ? new Set(plan.inboundIds) : draft.inboundIds;
    await goTo(chat, hasInbounds ? 'confirm' : 'inbounds', { ...draft, plan, inboundIds });
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
    (act: (chat: Chat, draft: ClientDraft, value: number) => Promise<void>) =>
    async (chat: Chat, [value]: readonly string[]): Promise<void> => {
      const draft = draftOf(chat);
      if (draft === null) chat.notice(label('outdated'));
      else await act(chat, draft, numberIn(value));
    };

  const actions: Actions = {
    add: (chat) => goTo(chat, 'email', { email: '', plan: null, inboundIds: new Set(), quotaBytes: 0, days: 0 }),
    addrandom: withDraft((chat, draft) => takeEmail(chat, { ...draft, email: randomBytes(4).toString('hex') })),
    addplan: withDraft(takePlan),
    addin: withDraft(async (chat, draft, id) => {
      const inboundIds = new Set(draft.inboundIds);
      if (!inboundIds.delete(id)) inboundIds.add(id);
      await goTo(chat, 'inbounds', { ...draft, inboundIds });
    }),
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
