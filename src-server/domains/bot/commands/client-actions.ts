import type { ShownClient } from '../panel-port.ts';
import { escapeHtml } from '../words/words.ts';
import { button, numberIn, type Action, type Actions, type Chat } from './chat.ts';
import { clientCard } from './client-card.ts';
import { qrPng } from './qr-png.ts';
import type { BotTools } from './tools.ts';

/** Most pictures sent at once. */
const MAX_CODES = 10;

/** Requests open to everybody: admins for any client, others only for their own. */
export function createClientActions(tools: BotTools) {
  const { panel, say, label, log } = tools;

  /** The client of a button, if the sender may see it. The button proves nothing: anybody can send any number. */
  async function allowed(chat: Chat, id: number): Promise<ShownClient | null> {
    const client = await panel.clientById(id);
    if (client !== null && (chat.isAdmin || client.record.tgId === chat.id)) return client;
    if (client !== null) log.warn('bot.refused', { chat: chat.id, client: id });
    chat.notice(label('notAllowed'));
    return null;
  }

  async function ownCard(chat: Chat, client: ShownClient): Promise<void> {
    const { recordId: id } = client.record;
    await chat.show(clientCard(tools, client, false), [
      [button(label('button.refresh'), 'own', id)],
      [button(label('button.links'), 'links', id), button(label('button.qr'), 'qr', id)],
    ]);
  }

  async function linksOf({ record }: ShownClient): Promise<{ subscription: string; links: string[] }> {
    return { subscription: panel.subscriptionOf(record.subId), links: await panel.linksOf(record.email) };
  }

  async function sendLinks(chat: Chat, client: ShownClient): Promise<void> {
    const { email } = client.record;
    const { subscription, links } = await linksOf(client);
    const code = (text: string): string => `<code>${escapeHtml(text)}</code>`;
    const blocks = [
      ...(subscription === '' ? [] : [`${say('links.subscription', { email })}\n${code(subscription)}`]),
      ...(links.length === 0 ? [] : [say('links.title', { email }), ...links.map(code)]),
    ];
    await chat.send(blocks.length === 0 ? [say('links.none')] : blocks);
  }

  async function sendCodes(chat: Chat, client: ShownClient): Promise<void> {
    const { email } = client.record;
    const { subscription, links } = await linksOf(client);
    const codes = [
      ...(subscription === '' ? [] : [{ text: subscription, caption: say('links.subscription', { email }) }]),
      ...links.map((text) => ({ text, caption: escapeHtml(nameOf(text) || email) })),
    ];
    if (codes.length === 0) await chat.send([say('links.none')]);
    for (const { text, caption } of codes.slice(0, MAX_CODES)) {
      const png = qrPng(text);
      if (png === null) await chat.send([`${caption}\n${say('qr.tooLong')}`]);
      else await chat.photo(png, caption);
    }
  }

  const withClient =
    (act: (chat: Chat, client: ShownClient) => Promise<void>): Action =>
    async (chat, [id]) => {
      const client = await allowed(chat, numberIn(id));
      if (client !== null) await act(chat, client);
    };

  /** The sender's clients: the only one, a choice of several, or how to become one. */
  const mine: Action = async (chat) => {
    const found = await Promise.all((await panel.ownedBy(chat.id)).map((id) => panel.clientById(id)));
    const clients = found.filter((client) => client !== null);
    const [first] = clients;
    if (first === undefined) await chat.show(say('noClient', { id: chat.id }));
    else if (clients.length === 1) await ownCard(chat, first);
    else
      await chat.show(
        say('menu'),
        clients.map(({ record }) => [button(record.email, 'own', record.recordId)]),
      );
  };

  const actions: Actions = {
    mine,
    own: withClient(ownCard),
    links: withClient(sendLinks),
    qr: withClient(sendCodes),
  };
  return { actions, mine, sendLinks };
}
export type ClientActions = ReturnType<typeof createClientActions>;

/** The name in a share link. */
function nameOf(link: string): string {
  try {
    return decodeURIComponent(link.split('#')[1] ?? '')
      .slice(0, 200)
      .toWellFormed();
  } catch {
    return '';
  }
}
