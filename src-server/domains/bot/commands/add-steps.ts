import { credentialOf } from '../../clients/rules/credential-rules.ts';
import { newTerm } from '../../clients/rules/plan-rules.ts';
import type { Plan } from '../../plans/contract.ts';
import { nextMonthDay, panelZone } from '../../traffic/enforcement/month-day.ts';
import { button, rowsOf, type Chat, type Keyboard } from './chat.ts';
import type { ClientDraft, Conversation } from './conversations.ts';
import { nameOf } from './inbound-lists.ts';
import { movedExpiry, QUOTAS_GB, TERMS_DAYS } from './limits.ts';
import { PAGE_SIZE, turnButtons } from './paging.ts';
import type { BotTools } from './tools.ts';

/** Most inbounds of a client that are listed by name. */
const MAX_NAMED = 10;

export type AddStep = Extract<Conversation, { kind: 'add' }>['step'];

/** Shows the question of each step of creating a client, and at the end what will be created. */
export function createAddSteps(tools: BotTools) {
  const { panel, say, label, format, clock } = tools;
  const cancel = button(label('button.cancel'), 'menu');

  const figures = (values: readonly number[], verb: string): Keyboard => [
    [button(label('button.unlimited'), verb, 0)],
    ...rowsOf(
      values.map((value) => button(String(value), verb, value)),
      4,
    ),
    [cancel],
  ];

  const pageOf = <T>(all: readonly T[], page: number): T[] => all.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);

  async function showPlans(chat: Chat, { email, page }: ClientDraft): Promise<void> {
    const plans = await panel.plans();
    const choices = pageOf(plans, page).map(({ id, name }) => [button(name, 'addplan', id)]);
    const { back, on } = turnButtons(tools, page, plans.length, 'addpage');
    const noPlan = button(label('button.noPlan'), 'addplan', 0);
    await chat.show(say('add.plan', { email }), [...choices, [noPlan], [...back, ...on, cancel]]);
  }

  async function showInbounds(chat: Chat, { email, inboundIds, page }: ClientDraft): Promise<void> {
    const offered = (await panel.inbounds()).filter(({ protocol }) => credentialOf(protocol) !== null);
    const choices = pageOf(offered, page).map((inbound) => [
      button(`${inboundIds.has(inbound.id) ? '☑️' : '⬜'} ${nameOf(inbound)}`, 'addin', inbound.id),
    ]);
    const { back, on } = turnButtons(tools, page, offered.length, 'addpage');
    const count = inboundIds.size;
    const goOn = count > 0 ? [button(label('button.goOn', { count }), 'addnext')] : [];
    await chat.show(say('add.inbounds', { email }), [...choices, [...back, ...on, ...goOn, cancel]]);
  }

  function firstEndMs(plan: Plan): number {
    if (plan.days > 0 || plan.resetDay === 0) return newTerm(plan, clock());
    return nextMonthDay(clock(), plan.resetDay, panelZone(panel.settings()));
  }

  async function showAll(chat: Chat, draft: ClientDraft): Promise<void> {
    const { email, inboundIds, plan } = draft;
    const inbounds = (await panel.inbounds()).filter(({ id }) => inboundIds.has(id)).map(nameOf);
    const more = inbounds.length > MAX_NAMED ? ` … (${inbounds.length})` : '';
    const values = {
      email,
      quota: format.quota(plan?.quotaBytes ?? draft.quotaBytes),
      expiry: format.expiry(plan === null ? (movedExpiry(0, draft.days, clock()) ?? 0) : firstEndMs(plan)),
      inbounds: inbounds.slice(0, MAX_NAMED).join(', ') + more,
    };
    await chat.show(
      plan === null ? say('add.confirm', values) : say('add.confirmPlan', { ...values, plan: plan.name }),
      [[button(label('button.create'), 'addgo'), cancel]],
    );
  }

  return async (chat: Chat, step: AddStep, draft: ClientDraft): Promise<void> => {
    const { email } = draft;
    if (step === 'email') await chat.show(say('add.email'), [[button(label('button.random'), 'addrandom')], [cancel]]);
    else if (step === 'plan') await showPlans(chat, draft);
    else if (step === 'inbounds') await showInbounds(chat, draft);
    else if (step === 'quota') await chat.show(say('add.quota', { email }), figures(QUOTAS_GB, 'addquota'));
    else if (step === 'expiry') await chat.show(say('add.expiry', { email }), figures(TERMS_DAYS, 'adddays'));
    else await showAll(chat, draft);
  };
}
