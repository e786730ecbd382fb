import type { ClientPageQuery } from '../../clients/list/contract.ts';
import { escapeHtml } from '../words/words.ts';
import { button, type Actions, type Chat, type Keyboard } from './chat.ts';
import { createClientLists } from './client-lists.ts';
import { createInboundLists } from './inbound-lists.ts';
import type { BotTools } from './tools.ts';

/** Most characters of a list in one message, without markup: the API takes 4,096. */
const MAX_CHARACTERS = 3_500;

/**
 * Lists for admins: the server, inbounds, clients by state.
 * @param choose enables ticking clients of a list
 */
export function createAdminLists(
  tools: BotTools,
  choose: (chat: Chat, query: Partial<ClientPageQuery>) => Promise<void>,
) {
  const { panel, say, label, format } = tools;
  const clients = createClientLists(tools, choose);
  const inbounds = createInboundLists(tools);

  const menuKeyboard: Keyboard = [
    [button(label('button.status'), 'status'), button(label('button.inbounds'), 'inbounds', 1)],
    [button(label('button.clients'), 'states'), button(label('button.search'), 'search')],
    [button(label('button.add'), 'add'), button(label('button.traffic'), 'top')],
    [button(label('button.backup'), 'backup'), button(label('button.logs'), 'logs')],
    [button(label('button.restart'), 'restart'), button(label('button.resetAll'), 'resetall')],
    [button(label('button.bans'), 'bans')],
  ];
  const home = button(label('button.menu'), 'menu');

  const actions: Actions = {
    menu: (chat) => chat.show(say('menu'), menuKeyboard),
    status: (chat) => chat.show(serverStatus(tools), [[button(label('button.refresh'), 'status'), home]]),
    async bans(chat) {
      const lines = (await panel.shutOut()).map(({ atMs, text }) => `${format.date(atMs)}  ${text}`);
      // Some of them are summaries, with ten names each.
      while (lines.join('\n').length > MAX_CHARACTERS) lines.pop();
      const text = lines.length === 0 ? say('bans.none') : escapeHtml(lines.join('\n'));
      await chat.show(`${say('bans.title')}\n${text}`, [[button(label('button.refresh'), 'bans'), home]]);
    },
    ...inbounds.actions,
    ...clients.actions,
  };
  return { actions, find: clients.find, showInbounds: inbounds.showInbounds };
}

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
