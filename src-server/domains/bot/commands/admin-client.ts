import { LINK_DAYS } from '../deep-link.ts';
import type { ShownClient } from '../panel-port.ts';
import { button, numberIn, rowsOf, type Action, type Actions, type Chat, type Keyboard } from './chat.ts';
import { cardKeyboard, clientCard } from './client-card.ts';
import { bytesOfGb, movedExpiry, numberTyped, QUOTAS_GB, TERMS_DAYS } from './limits.ts';
import type { BotTools } from './tools.ts';

/** IP limits to choose from. */
const LIMITS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const MAX_ADDRESSES = 1_000_000;
/** Most addresses listed in one message. */
const MAX_SHOWN = 50;

/** Admin actions on one client. Anything destructive asks for confirmation first. */
export function createAdminClient(tools: BotTools) {
  const { panel, say, label, conversations, clock, log } = tools;

  async function showCard(chat: Chat, id: number): Promise<void> {
    const client = await panel.clientById(id);
    if (client === null) chat.notice(label('notAllowed'));
    else await chat.show(clientCard(tools, client, true), cardKeyboard(tools, client));
  }

  const withClient =
    (act: (chat: Chat, client: ShownClient, args: readonly string[]) => Promise<void>): Action =>
    async (chat, [id, ...args]) => {
      const client = await panel.clientById(numberIn(id));
      if (client === null) chat.notice(label('notAllowed'));
      else await act(chat, client, args);
    };

  /** Makes a change and shows the updated card; `false` = the number makes no sense. */
  const change = (verb: string, act: (client: ShownClient, args: readonly string[]) => Promise<unknown>): Action =>
    withClient(async (chat, client, args) => {
      if ((await act(client, args)) === false) return chat.notice(label('number.bad'));
      log.info('bot.clientChanged', { chat: chat.id, client: client.record.recordId, verb });
      chat.notice(label('done'));
      await showCard(chat, client.record.recordId);
    });

  const confirm = (word: 'reset.ask' | 'off.ask' | 'untie.ask' | 'forget.ask', verb: string): Action =>
    withClient((chat, { record }) =>
      chat.show(say(word, { email: record.email }), [
        [button(label('button.yes'), verb, record.recordId), button(label('button.cancel'), 'card', record.recordId)],
      ]),
    );

  const choice = (kind: 'quota' | 'expiry'): Action =>
    withClient(async (chat, { record }) => {
      const { recordId: id, email } = record;
      conversations.begin(chat.id, { kind, clientId: id });
      const figures = kind === 'quota' ? QUOTAS_GB : TERMS_DAYS;
      const sign = kind === 'quota' ? '' : '+';
      const keyboard: Keyboard = [
        [button(label('button.unlimited'), `${kind}!`, id, 0)],
        ...rowsOf(
          figures.map((figure) => button(`${sign}${figure}`, `${kind}!`, id, figure)),
          4,
        ),
        [button(label('button.cancel'), 'card', id)],
      ];
      await chat.show(say(`${kind}.ask`, { email }), keyboard);
    });

  async function setLimit(kind: 'quota' | 'expiry', { record }: ShownClient, figure: number): Promise<boolean> {
    const value = kind === 'quota' ? bytesOfGb(figure) : movedExpiry(record.expiryTime, figure, clock());
    if (value === null) return false;
    await panel.change(record.recordId, kind === 'quota' ? { totalGB: value } : { expiryTime: value });
    return true;
  }

  async function showAddresses(chat: Chat, { record }: ShownClient): Promise<void> {
    const { recordId: id, email, limitIp } = record;
    const seen = await panel.addressesOf(email);
    const list = seen.length === 0 ? say('none') : seen.slice(0, MAX_SHOWN).join('\n');
    const limits = LIMITS.map((most) => button(String(most), 'ips!', id, most));
    await chat.show(say('addresses.text', { email, limitIp: limitIp === 0 ? say('unlimited') : limitIp, list }), [
      [button(label('button.unlimited'), 'ips!', id, 0)],
      ...rowsOf(limits, 5),
      [button(label('button.forget'), 'forget', id), button(label('button.back'), 'card', id)],
    ]);
  }

  const actions: Actions = {
    card: (chat, [id]) => showCard(chat, numberIn(id)),
    reset: confirm('reset.ask', 'reset!'),
    'reset!': change('reset', ({ record }) => panel.resetTraffic(record.email)),
    on: change('on', ({ record }) => panel.enable(record.email, true)),
    off: confirm('off.ask', 'off!'),
    'off!': change('off', ({ record }) => panel.enable(record.email, false)),
    quota: choice('quota'),
    'quota!': change('quota', (client, [figure]) => setLimit('quota', client, numberIn(figure))),
    expiry: choice('expiry'),
    'expiry!': change('expiry', (client, [figure]) => setLimit('expiry', client, numberIn(figure))),
    ips: withClient(showAddresses),
    'ips!': change('ips', ({ record }, [most]) =>
      panel.change(record.recordId, { limitIp: Math.max(0, Math.min(numberIn(most), MAX_ADDRESSES)) }),
    ),
    forget: confirm('forget.ask', 'forget!'),
    'forget!': change('forget', ({ record }) => panel.forgetAddresses(record.email)),
    untie: confirm('untie.ask', 'untie!'),
    'untie!': change('untie', ({ record }) => panel.change(record.recordId, { tgId: 0 })),
    tie: withClient(async (chat, { record }) => {
      const link = await tools.tieLink(record.recordId, record.tgId);
      if (link !== null) await chat.send([say('tie.link', { email: record.email, days: LINK_DAYS, link })]);
    }),
  };

  return {
    actions,
    showCard,
    /** A limit that was typed instead of chosen. */
    async typedLimit(chat: Chat, kind: 'quota' | 'expiry', clientId: number, text: string): Promise<void> {
      const figure = numberTyped(text);
      const client = await panel.clientById(clientId);
      if (client !== null && figure !== null && (await setLimit(kind, client, figure))) {
        conversations.end(chat.id);
        log.info('bot.clientChanged', { chat: chat.id, client: clientId, verb: kind });
        await showCard(chat, clientId);
      } else await chat.send([say(client === null ? 'outdated' : 'number.bad')]);
    },
  };
}
