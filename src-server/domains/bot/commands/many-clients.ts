import type { ClientPageQuery } from '../../clients/list/contract.ts';
import type { ManyChanged } from '../panel-port.ts';
import { button, numberIn, rowsOf, type Actions, type Chat, type Keyboard } from './chat.ts';
import type { Conversation } from './conversations.ts';
import { bytesOfGb } from './limits.ts';
import { PAGE_SIZE, turnButtons } from './paging.ts';
import type { BotTools } from './tools.ts';

/** Most clients changed at once from a chat. */
const MAX_CHOSEN = 200;
/** Most skipped clients that are listed by name. */
const MAX_NAMED = 10;
const DAYS = [7, 30, 90];
const GIGABYTES = [10, 50, 100];

type Choosing = Extract<Conversation, { kind: 'many' }>;

/** Ticks several clients of a list, then changes them together. */
export function createManyClients(tools: BotTools) {
  const { panel, say, label, conversations, log } = tools;

  async function showChoice(chat: Chat, choosing: Choosing): Promise<void> {
    conversations.begin(chat.id, choosing);
    const { query, page, chosen } = choosing;
    const found = await panel.page({ ...query, page, pageSize: PAGE_SIZE, sort: 'email' });
    const ids = await panel.idsOf(found.items.map(({ email }) => email));
    const shown = found.items.flatMap(({ email }) => {
      const id = ids.get(email);
      return id === undefined ? [] : [[button(`${chosen.has(id) ? '☑️' : '⬜'} ${email}`, 'tick', id)]];
    });
    const { back, on } = turnButtons(tools, page, found.filtered, 'manypage');
    const goOn = chosen.size > 0 ? [button(label('button.goOn', { count: chosen.size }), 'manywhat')] : [];
    await chat.show(say('many.choose', { count: chosen.size, total: found.filtered }), [
      ...shown,
      [...back, button(label('button.wholePage'), 'tickall'), ...on],
      [...goOn, button(label('button.cancel'), 'menu')],
    ]);
  }

  /** Actions for an admin who has ticked clients; without ticks the answer is that the selection has expired. */
  const choosing =
    (act: (chat: Chat, choosing: Choosing, args: readonly string[]) => Promise<void>) =>
    async (chat: Chat, args: readonly string[]): Promise<void> => {
      const open = conversations.of(chat.id);
      if (open?.kind === 'many') await act(chat, open, args);
      else chat.notice(label('outdated'));
    };

  async function change(emails: readonly string[], verb: string, figure: number): Promise<ManyChanged | null> {
    switch (verb) {
      case 'on':
      case 'off':
        return panel.enableMany(emails, verb === 'on');
      case 'reset':
        return panel.resetMany(emails);
      case 'days':
        return panel.adjustMany(emails, { addDays: figure, addBytes: 0 });
      case 'gb':
        return panel.adjustMany(emails, { addDays: 0, addBytes: bytesOfGb(figure) ?? 0 });
      default:
        return null;
    }
  }

  const whatKeyboard: Keyboard = [
    [button(label('button.on'), 'manydo', 'on'), button(label('button.off'), 'manyask', 'off')],
    [button(label('button.reset'), 'manyask', 'reset')],
    ...rowsOf(
      DAYS.map((days) => button(`📅 +${days}`, 'manydo', 'days', days)),
      3,
    ),
    ...rowsOf(
      GIGABYTES.map((gb) => button(`📦 +${gb} GB`, 'manydo', 'gb', gb)),
      3,
    ),
    [button(label('button.back'), 'manypage', 1), button(label('button.menu'), 'menu')],
  ];

  const actions: Actions = {
    manypage: choosing((chat, open, [page]) => showChoice(chat, { ...open, page: Math.max(1, numberIn(page)) })),
    tick: choosing(async (chat, open, [id]) => {
      const chosen = new Set(open.chosen);
      if (!chosen.delete(numberIn(id)) && chosen.size < MAX_CHOSEN) chosen.add(numberIn(id));
      await showChoice(chat, { ...open, chosen });
    }),
    tickall: choosing(async (chat, open) => {
      const { items } = await panel.page({ ...open.query, page: open.page, pageSize: PAGE_SIZE, sort: 'email' });
      const ids = [...(await panel.idsOf(items.map(({ email }) => email))).values()];
      const isWhole = ids.every((id) => open.chosen.has(id));
      const chosen = isWhole ? [...open.chosen].filter((id) => !ids.includes(id)) : [...open.chosen, ...ids];
      await showChoice(chat, { ...open, chosen: new Set(chosen.slice(0, MAX_CHOSEN)) });
    }),
    manywhat: choosing((chat, { chosen }) => chat.show(say('many.what', { count: chosen.size }), whatKeyboard)),
    manyask: choosing((chat, { chosen }, [verb]) =>
      chat.show(say(verb === 'off' ? 'many.off.ask' : 'many.reset.ask', { count: chosen.size }), [
        [
          button(label('button.yes'), 'manydo', verb === 'off' ? 'off' : 'reset'),
          button(label('button.cancel'), 'manywhat'),
        ],
      ]),
    ),
    manydo: choosing(async (chat, { chosen }, [verb = '', figure]) => {
      const emails = await panel.emailsOf([...chosen]);
      const changed = await change(emails, verb, numberIn(figure));
      if (changed === null) return;
      log.info('bot.clientsChanged', { chat: chat.id, verb, count: changed.done });
      const left = changed.skipped.slice(0, MAX_NAMED).map((one) => `${one.email}: ${tools.refusal(one)}`);
      const more = changed.skipped.length > MAX_NAMED ? ['…'] : [];
      const summary = say('many.done', { count: changed.done });
      const text =
        left.length === 0 ? summary : `${summary}\n${say('many.left', { list: [...left, ...more].join('\n') })}`;
      await chat.show(text, [[button(label('button.back'), 'manywhat'), button(label('button.menu'), 'menu')]]);
    }),
  };

  return {
    actions,
    begin: (chat: Chat, query: Partial<ClientPageQuery>): Promise<void> =>
      showChoice(chat, { kind: 'many', query, page: 1, chosen: new Set() }),
  };
}
