import type { CountedInbound } from '../../inbounds/contract.ts';
import { button, numberIn, type Actions, type Chat } from './chat.ts';
import { PAGE_SIZE, pageButtons } from './paging.ts';
import type { BotTools } from './tools.ts';

/** Lists of inbounds, and each inbound. */
export function createInboundLists(tools: BotTools) {
  const { panel, say, label, format } = tools;

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
    async inbounds(chat, [page]) {
      const all = await panel.inbounds();
      const at = Math.max(1, numberIn(page));
      const shown = all
        .slice((at - 1) * PAGE_SIZE, at * PAGE_SIZE)
        .map((one) => [button(`${one.enable ? '🟢' : '🔴'} ${nameOf(one)}`, 'inbound', one.id)]);
      await chat.show(say(all.length === 0 ? 'inbounds.none' : 'inbounds.title'), [
        ...shown,
        ...pageButtons(tools, at, all.length, 'inbounds'),
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
        [button(label('button.back'), 'inbounds', 1), button(label('button.menu'), 'menu')],
      ]);
    },
  };
  return { actions, showInbounds };
}

export const nameOf = ({ remark, tag }: Pick<CountedInbound, 'remark' | 'tag'>): string =>
  remark === '' ? tag : remark;
