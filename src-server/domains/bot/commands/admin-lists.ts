import type { CountedInbound } from '../../inbounds/contract.ts';
import type { ClientPage, ClientPageQuery } from '../../clients/list/contract.ts';
import { escapeHtml } from '../words/words.ts';
import { button, numberIn, rowsOf, type Actions, type Chat, type Keyboard } from './chat.ts';
import type { BotTools } from './tools.ts';

/** Clients or inbounds per page. */
const PAGE_SIZE = 10;
const STATES = ['online', 'active', 'expiring', 'depleted', 'deactive'] as const;

/**
 * Lists for admins: the server, inbounds, clients by state.
 * @param choose enables ticking clients of a list
 */
export function createAdminLists(
  tools: BotTools,
  choose: (chat: Chat, query: Partial<ClientPageQuery>) => Promise<void>,
) {
  const { panel, say, label, format, conversations } = tools;

  const menuKeyboard: Keyboard = [
    [button(label('button.status'), 'status'), button(label('button.inbounds'), 'inbounds', 1)],
    [button(label('button.clients'), 'states'), button(label('button.search'), 'search')],
    [button(label('button.add'), 'add'), button(label('button.traffic'), 'top')],
    [button(label('button.backup'), 'backup'), button(label('button.logs'), 'logs')],
    [button(label('button.restart'), 'restart'), button(label('button.resetAll'), 'resetall')],
    [button(label('button.bans'), 'bans')],
  ];
  const home = button(label('button.menu'), 'menu');

  /** Buttons to the previous and next page. */
  function turning(page: number, total: number, verb: string, ...args: (string | number)[]): Keyboard {
    const back = page > 1 ? [button(label('button.previous'), verb, ...args, page - 1)] : [];
    const on = page * PAGE_SIZE < total ? [button(label('button.next'), verb, ...args, page + 1)] : [];
    return [[...back, ...on, home]];
  }

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
      ...turning(found.page, found.filtered, verb, ...args),
    ]);
  }

  function inboundCard(inbound: CountedInbound): string {
    const { protocol, port, enable, up, down, clientCount, onlineCount, expiryTime } = inbound;
    return say('inbound.card', {
      name: nameOf(inbound),
      protocol,
      port,
      mark: enable ? '🟢' : '🔴',
      up: format.size(up),
      down: format.size(down),
      clients: clientCount,
      online: onlineCount,
      expiry: format.expiry(expiryTime),
    });
  }

  async function find(chat: Chat, text: string, page: number): Promise<void> {
    conversations.begin(chat.id, { kind: 'found', text });
    const found = await panel.page({ search: text, page, pageSize: PAGE_SIZE, sort: 'email' });
    await showPage(chat, (count) => say('clients.found', { text, count }), found, 'found');
  }

  /** Inbounds whose name contains this text. */
  async function showInbounds(chat: Chat, named: string): Promise<void> {
    const wanted = named.toLowerCase();
    const found = (await panel.inbounds()).filter((one) => nameOf(one).toLowerCase().includes(wanted));
    const toClients = found
      .slice(0, PAGE_SIZE)
      .map((one) => [button(`${label('button.clients')}: ${nameOf(one)}`, 'of', one.id, 1)]);
    await chat.send(found.length === 0 ? [say('inbounds.none')] : found.map(inboundCard), toClients);
  }

  const actions: Actions = {
    menu: (chat) => chat.show(say('menu'), menuKeyboard),
    status: (chat) => chat.show(serverStatus(tools), [[button(label('button.refresh'), 'status'), home]]),
    async inbounds(chat, [page]) {
      const all = await panel.inbounds();
      const at = Math.max(1, numberIn(page));
      const shown = all
        .slice((at - 1) * PAGE_SIZE, at * PAGE_SIZE)
        .map((one) => [button(`${one.enable ? '🟢' : '🔴'} ${nameOf(one)}`, 'inbound', one.id)]);
      await chat.show(say(all.length === 0 ? 'inbounds.none' : 'inbounds.title'), [
        ...shown,
        ...turning(at, all.length, 'inbounds'),
      ]);
    },
    async inbound(chat, [id]) {
      const inbound = (await panel.inbounds()).find((one) => one.id === numberIn(id));
      if (inbound === undefined) {
        chat.notice(label('notAllowed'));
        return;
      }
      await chat.show(inboundCard(inbound), [
        [button(label('button.clients'), 'of', inbound.id, 1)],
        [button(label('button.back'), 'inbounds', 1), home],
      ]);
    },
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
      const state = STATES.find((one) => one === named) ?? 'all';
      const query = { filter: state === 'all' ? [] : [state], page: Math.max(1, numberIn(page)), pageSize: PAGE_SIZE };
      const title = (count: number): string => say('clients.title', { state: label(`state.${state}`), count });
      await showPage(chat, title, await panel.page({ ...query, sort: 'email' }), 'list', state);
    },
    /** Lets the admin tick clients of the list on screen. */
    async many(chat, [verb, named]) {
      const conversation = conversations.of(chat.id);
      const state = STATES.find((one) => one === named);
      if (verb === 'list') await choose(chat, state === undefined ? {} : { filter: [state] });
      else if (verb === 'of') await choose(chat, { inbound: [numberIn(named)] });
      else if (conversation?.kind === 'found') await choose(chat, { search: conversation.text });
      else chat.notice(label('outdated'));
    },
    async bans(chat) {
      const lines = (await panel.shutOut()).map(({ atMs, text }) => `${format.date(atMs)}  ${text}`);
      const text = lines.length === 0 ? say('bans.none') : escapeHtml(lines.join('\n'));
      await chat.show(`${say('bans.title')}\n${text}`, [[button(label('button.refresh'), 'bans'), home]]);
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
  return { actions, find, showInbounds };
}

export const nameOf = ({ remark, tag }: Pick<CountedInbound, 'remark' | 'tag'>): string =>
  remark === '' ? tag : remark;

/** Statistics of the machine and the core. */
export function serverStatus({ panel, say, format }: Pick<BotTools, 'panel' | 'say' | 'format'>): string {
  const status = panel.status();
  return say('status.text', {
    host: panel.hostName(),
    panel: status.panelVersion,
    core: status.core.version,
    state: say(`core.${status.core.state}`),
    days: Math.floor(status.uptime / 86_400),
    cpu: status.cpu.toFixed(0),
    load: status.loads.map((load) => load.toFixed(2)).join(' '),
    ram: format.size(status.mem.current),
    ramTotal: format.size(status.mem.total),
    disk: format.size(status.disk.current),
    diskTotal: format.size(status.disk.total),
    tcp: status.tcpCount,
    udp: status.udpCount,
    up: format.size(status.netTraffic.sent),
    down: format.size(status.netTraffic.recv),
    online: panel.onlineCount(),
  });
}
