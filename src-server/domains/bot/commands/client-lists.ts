import type { ClientPage, ClientPageQuery } from '../../clients/list/contract.ts';
import { escapeHtml } from '../words/words.ts';
import { button, numberIn, rowsOf, type Actions, type Chat } from './chat.ts';
import { nameOf } from './inbound-lists.ts';
import { PAGE_SIZE, pageButtons } from './paging.ts';
import type { BotTools } from './tools.ts';

const STATES = ['online', 'active', 'expiring', 'depleted', 'disabled'] as const;

/** The state that a button names; messages of older versions have `deactive`. Absent for all clients. */
const stateOf = (named: string | undefined) =>
  STATES.find((one) => one === (named === 'deactive' ? 'disabled' : named));

/**
 * Lists of clients: by state, of an inbound, found by a text, by traffic.
 * @param choose enables ticking clients of a list
 */
export function createClientLists(
  tools: BotTools,
  choose: (chat: Chat, query: Partial<ClientPageQuery>) => Promise<void>,
) {
  const { panel, say, label, format, conversations } = tools;
  const home = button(label('button.menu'), 'menu');

  async function showPage(
    chat: Chat,
    title: (count: number) => string,
    found: ClientPage,
    verb: string,
    ...args: (string | number)[]
  ): Promise<void> {
    const ids = await panel.idsOf(found.items.map(({ email }) => email));
    const shown = found.items.flatMap(({ email, enable }) => {
      const id = ids.get(email);
      const mark = !enable ? '🔴' : panel.isOnline(email) ? '🟢' : '⚪';
      return id === undefined ? [] : [[button(`${mark} ${email}`, 'card', id)]];
    });
    const several = shown.length > 1 ? [[button(label('button.many'), 'many', verb, ...args)]] : [];
    await chat.show(title(found.filtered), [
      ...shown,
      ...several,
      ...pageButtons(tools, found.page, found.filtered, verb, ...args),
    ]);
  }

  async function find(chat: Chat, text: string, page: number): Promise<void> {
    conversations.begin(chat.id, { kind: 'found', text });
    const found = await panel.page({ search: text, page, pageSize: PAGE_SIZE, sort: 'email' });
    await showPage(chat, (count) => say('clients.found', { text, count }), found, 'found');
  }

  const actions: Actions = {
    async of(chat, [id, page]) {
      const inbound = (await panel.inbounds()).find((one) => one.id === numberIn(id));
      if (inbound === undefined) {
        chat.notice(label('notAllowed'));
        return;
      }
      const query = { inbound: [inbound.id], page: Math.max(1, numberIn(page)), pageSize: PAGE_SIZE, sort: 'email' };
      const title = (count: number): string => say('clients.of', { name: nameOf(inbound), count });
      await showPage(chat, title, await panel.page(query), 'of', inbound.id);
    },
    states: (chat) => {
      const choices = STATES.map((state) => button(label(`state.${state}`), 'list', state, 1));
      return chat.show(say('clients.choose'), [
        [button(label('state.all'), 'list', 'all', 1)],
        ...rowsOf(choices, 2),
        [home],
      ]);
    },
    async list(chat, [named, page]) {
      const state = stateOf(named) ?? 'all';
      const query = { filter: state === 'all' ? [] : [state], page: Math.max(1, numberIn(page)), pageSize: PAGE_SIZE };
      const title = (count: number): string => say('clients.title', { state: label(`state.${state}`), count });
      await showPage(chat, title, await panel.page({ ...query, sort: 'email' }), 'list', state);
    },
    /** Lets the admin tick clients of the list on screen. */
    async many(chat, [verb, named]) {
      const conversation = conversations.of(chat.id);
      const state = stateOf(named);
      if (verb === 'list') await choose(chat, state === undefined ? {} : { filter: [state] });
      else if (verb === 'of') await choose(chat, { inbound: [numberIn(named)] });
      else if (conversation?.kind === 'found') await choose(chat, { search: conversation.text });
      else chat.notice(label('outdated'));
    },
    async top(chat) {
      const { items } = await panel.page({ sort: 'traffic', order: 'descend', page: 1, pageSize: 20 });
      const lines = items.map(({ email, traffic }) => `${format.size(traffic.up + traffic.down)}  ${email}`);
      await chat.show(`${say('traffic.title')}\n<pre>${escapeHtml(lines.join('\n'))}</pre>`, [[home]]);
    },
    async search(chat) {
      conversations.begin(chat.id, { kind: 'search' });
      await chat.show(say('search.ask'), [[button(label('button.cancel'), 'menu')]]);
    },
    async found(chat, [page]) {
      const conversation = conversations.of(chat.id);
      if (conversation?.kind === 'found') await find(chat, conversation.text, Math.max(1, numberIn(page)));
      else chat.notice(label('outdated'));
    },
  };
  return { actions, find };
}
