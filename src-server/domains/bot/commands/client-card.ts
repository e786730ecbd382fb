import type { ShownClient } from '../panel-port.ts';
import { button, type Keyboard } from './chat.ts';
import type { BotTools } from './tools.ts';

/** What a client sees about itself, and what an admin sees in addition. */
export function clientCard({ panel, say, format, clock }: BotTools, client: ShownClient, isForAdmin: boolean): string {
  const { record, traffic } = client;
  const { up, down, lastOnline } = traffic;
  const state = stateOf(client, panel.isOnline(record.email), clock());
  const card = say('card.text', {
    email: record.email,
    mark: record.enable ? '🟢' : '🔴',
    state: say(`card.state.${state}`),
    up: format.size(up),
    down: format.size(down),
    used: format.size(up + down),
    quota: format.quota(record.totalGB),
    expiry: format.expiry(record.expiryTime),
    lastOnline: format.moment(lastOnline),
  });
  if (!isForAdmin) return card;
  const more = say('card.admin', {
    limitIp: record.limitIp === 0 ? say('unlimited') : record.limitIp,
    tgId: record.tgId === 0 ? say('none') : record.tgId,
    comment: record.comment === '' ? say('none') : record.comment.slice(0, 500).toWellFormed(),
  });
  return `${card}\n${more}`;
}

function stateOf({ record, traffic }: ShownClient, isOnline: boolean, nowMs: number) {
  if (record.expiryTime > 0 && record.expiryTime <= nowMs) return 'expired';
  if (record.totalGB > 0 && traffic.up + traffic.down >= record.totalGB) return 'depleted';
  if (!record.enable) return 'disabled';
  return isOnline ? 'online' : 'active';
}

/** Admin actions on a client. */
export function cardKeyboard({ label }: BotTools, { record }: ShownClient): Keyboard {
  const id = record.recordId;
  return [
    [button(label('button.refresh'), 'card', id), button(label('button.reset'), 'reset', id)],
    [button(label('button.quota'), 'quota', id), button(label('button.expiry'), 'expiry', id)],
    [button(label('button.links'), 'links', id), button(label('button.qr'), 'qr', id)],
    [
      record.enable ? button(label('button.off'), 'off', id) : button(label('button.on'), 'on', id),
      record.tgId === 0 ? button(label('button.tie'), 'tie', id) : button(label('button.untie'), 'untie', id),
    ],
    [button(label('button.addresses'), 'ips', id)],
    [button(label('button.back'), 'states'), button(label('button.menu'), 'menu')],
  ];
}
