import type { Bot, Context } from 'grammy';
import { actingAs } from '../../../acting.ts';
import type { ChatHandlers } from '../commands/chat-handlers.ts';
import type { Chat } from '../commands/chat.ts';
import type { Say } from '../words/words.ts';
import type { Messages } from './messages.ts';

/** Known commands; the handlers decide which of them are for admins only. */
const COMMANDS = ['start', 'help', 'status', 'id', 'usage', 'inbound', 'restart', 'clearall'];

/** The journal names the sender of the message. */
function asSender<T>({ id, firstName }: Chat, verb: string, work: () => T): T {
  return actingAs({ actor: 'bot', name: `${firstName} (${id})`, address: '', verb, requestId: '' }, work);
}

/** Answers a message, unless it comes from a group: the bot does not know the group's members. */
export function listen(
  bot: Bot,
  handlers: ChatHandlers,
  messages: Messages,
  isAdmin: (userId: number) => boolean,
): void {
  function chatOf(ctx: Context, messageId: number | null): { chat: Chat; noticed: () => string } | null {
    const { from, chat: place } = ctx;
    if (from === undefined || place?.type !== 'private' || place.id !== from.id) return null;
    let notice = '';
    const chat: Chat = {
      id: from.id,
      firstName: from.first_name,
      isAdmin: isAdmin(from.id),
      show: (text, keyboard) =>
        messageId === null
          ? messages.send(from.id, [text], keyboard)
          : messages.edit(from.id, messageId, text, keyboard),
      send: (blocks, keyboard) => messages.send(from.id, blocks, keyboard),
      photo: (png, caption) => messages.photo(from.id, png, caption),
      notice: (text) => void (notice = text),
    };
    return { chat, noticed: () => notice };
  }

  bot.command('id', async (ctx, next) => {
    // An admin needs the id of a group before reports can go there.
    if (ctx.chat.type === 'private') await next();
    else await messages.send(ctx.chat.id, [`<code>${ctx.chat.id}</code>`]);
  });
  bot.command(COMMANDS, async (ctx) => {
    const found = chatOf(ctx, null);
    const [, name = ''] = /^\/([a-z]+)/.exec(ctx.msg.text) ?? [];
    if (found !== null)
      await asSender(found.chat, `/${name}`, () => handlers.command(found.chat, name, ctx.match.trim()));
  });
  bot.on('message:text', async (ctx) => {
    const found = chatOf(ctx, null);
    if (found === null) return;
    const { text } = ctx.msg;
    const isForAnother = text.startsWith('/') && text.includes('@');
    if (text.startsWith('/') && !isForAnother) await handlers.command(found.chat, '', '');
    else if (!isForAnother) await asSender(found.chat, 'text', () => handlers.typed(found.chat, text));
  });
  bot.on('callback_query:data', async (ctx) => {
    const found = chatOf(ctx, ctx.callbackQuery.message?.message_id ?? null);
    try {
      const { data } = ctx.callbackQuery;
      if (found !== null) await asSender(found.chat, data.split(':', 1)[0]!, () => handlers.pressed(found.chat, data));
    } finally {
      // Without an answer the button keeps spinning. It may be too late for one, which does no harm.
      const text = found?.noticed() ?? '';
      await ctx.answerCallbackQuery(text === '' ? {} : { text: text.slice(0, 200) }).catch(() => undefined);
    }
  });
}

/** The list of commands next to the message field. */
export const offeredCommands = (label: Say): { command: string; description: string }[] => [
  { command: 'start', description: label('button.menu') },
  { command: 'usage', description: label('button.usage') },
  { command: 'id', description: 'ID' },
];
