import { randomBytes } from 'node:crypto';
import { nameOf } from './admin-lists.ts';
import { button, numberIn, rowsOf, type Actions, type Chat, type Keyboard } from './chat.ts';
import type { ClientActions } from './client-actions.ts';
import type { ClientDraft, Conversation } from './conversations.ts';
import { bytesOfGb, movedExpiry, numberTyped, QUOTAS_GB, TERMS_DAYS } from './limits.ts';
import type { BotTools } from './tools.ts';

type Step = Extract<Conversation, { kind: 'add' }>['step'];

/** A new client, made in steps. Each chat has a draft of its own. */
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

  async function showInbounds(chat: Chat, { email, inboundIds }: ClientDraft): Promise<void> {
    const choices = (await panel.inbounds()).map((inbound) => [
      button(`${inboundIds.has(inbound.id) ? '☑️' : '⬜'} ${nameOf(inbound)}`, 'addin', inbound.id),
    ]);
    await chat.show(say('add.inbounds', { email }), [...choices, [button(label('button.next'), 'addnext'), cancel]]);
  }

  async function showAll(chat: Chat, draft: ClientDraft): Promise<void> {
    const { email, inboundIds, quotaBytes, days } = draft;
    const inbounds = (await panel.inbounds()).filter(({ id }) => inboundIds.has(id)).map(nameOf);
    const expiry = format.expiry(movedExpiry(0, days, clock()) ?? 0);
    await chat.show(
      say('add.confirm', { email, quota: format.quota(quotaBytes), expiry, inbounds: inbounds.join(', ') }),
      [[button(label('button.create'), 'addgo'), cancel]],
    );
  }

  async function goTo(chat: Chat, step: Step, draft: ClientDraft): Promise<void> {
    conversations.begin(chat.id, { kind: 'add', step, draft });
    const { email } = draft;
    if (step === 'email') await chat.show(say('add.email'), [[button(label('button.random'), 'addrandom')], [cancel]]);
    else if (step === 'inbounds') await showInbounds(chat, draft);
    else if (step === 'quota') await chat.show(say('add.quota', { email }), figures(QUOTAS_GB, 'addquota'));
    else if (step === 'expiry') await chat.show(say('add.expiry', { email }), figures(TERMS_DAYS, 'adddays'));
    else await showAll(chat, draft);
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

  async function create(chat: Chat, { email, inboundIds, quotaBytes, days }: ClientDraft): Promise<void> {
    const expiryTime = movedExpiry(0, days, clock()) ?? 0;
    await panel.add({ email, totalGB: quotaBytes, expiryTime }, [...inboundIds]);
    conversations.end(chat.id);
    const id = (await panel.idsOf([email])).get(email);
    log.info('bot.clientAdded', { chat: chat.id, client: id });
    const client = id === undefined ? null : await panel.clientById(id);
    if (client === null) return;
    await chat.show(say('add.done', { email }), [[button(email, 'card', client.record.recordId)]]);
    await sendLinks(chat, client);
  }

  /** An answer to a question of this draft; one that is over is told so. */
  const withDraft =
    (act: (chat: Chat, draft: ClientDraft, value: number) => Promise<void>) =>
    async (chat: Chat, [value]: readonly string[]): Promise<void> => {
      const draft = draftOf(chat);
      if (draft === null) chat.notice(label('outdated'));
      else await act(chat, draft, numberIn(value));
    };

  const actions: Actions = {
    add: (chat) => goTo(chat, 'email', { email: '', inboundIds: new Set(), quotaBytes: 0, days: 0 }),
    addrandom: withDraft((chat, draft) => goTo(chat, 'inbounds', { ...draft, email: randomBytes(4).toString('hex') })),
    addin: withDraft(async (chat, draft, id) => {
      const inboundIds = new Set(draft.inboundIds);
      if (!inboundIds.delete(id)) inboundIds.add(id);
      await goTo(chat, 'inbounds', { ...draft, inboundIds });
    }),
    addnext: withDraft(async (chat, draft) => {
      if (draft.inboundIds.size === 0) chat.notice(label('add.noInbound'));
      else await goTo(chat, 'quota', draft);
    }),
    addquota: withDraft(takeQuota),
    adddays: withDraft(takeDays),
    addgo: withDraft(create),
  };

  return {
    actions,
    /** What was typed in answer to a step. */
    async typed(chat: Chat, { step, draft }: Extract<Conversation, { kind: 'add' }>, text: string): Promise<void> {
      const email = text.trim();
      if (step === 'email' && email !== '' && !/\s/.test(email)) await goTo(chat, 'inbounds', { ...draft, email });
      else if (step === 'quota') await takeQuota(chat, draft, numberTyped(text));
      else if (step === 'expiry') await takeDays(chat, draft, numberTyped(text));
      else await goTo(chat, step, draft);
    },
  };
}
