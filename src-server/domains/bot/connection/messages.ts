import { GrammyError, InputFile, type Api } from 'grammy';
import type { Keyboard } from '../commands/chat.ts';
import type { BotFile } from '../panel-port.ts';
import { callSignal } from './retrying.ts';

/** Characters of one message: the API accepts 4,096 after parsing its markup. */
const MAX_CHARACTERS = 3_500;

/**
 * Messages of the bot, in HTML markup. Parameters are escaped where the text is made (words.ts).
 * @param signal ends the calls in progress, and those that wait to be sent again
 */
export function createMessages(api: Api, signal?: AbortSignal) {
  const limit = signal && callSignal(signal);
  const markup = (keyboard: Keyboard | undefined) => ({
    parse_mode: 'HTML' as const,
    link_preview_options: { is_disabled: true },
    ...(keyboard === undefined ? {} : { reply_markup: { inline_keyboard: keyboard.map((row) => [...row]) } }),
  });

  async function send(chatId: number | string, blocks: readonly string[], keyboard?: Keyboard): Promise<void> {
    const messages = packed(blocks);
    for (const [index, message] of messages.entries()) {
      const below = index === messages.length - 1 ? keyboard : undefined;
      if (message.length <= MAX_CHARACTERS) await api.sendMessage(chatId, message, markup(below), limit);
      else await document(chatId, { name: 'text.txt', bytes: Buffer.from(plainText(message)) }, '');
    }
  }

  async function document(chatId: number | string, { name, bytes }: BotFile, caption: string): Promise<void> {
    const about = caption === '' ? {} : { caption, parse_mode: 'HTML' as const };
    await api.sendDocument(chatId, new InputFile(bytes, name), about, limit);
  }

  return {
    send,
    document,
    /** Replaces a message; if it cannot be replaced, sends a new one. */
    async edit(chatId: number, messageId: number, text: string, keyboard?: Keyboard): Promise<void> {
      try {
        await api.editMessageText(chatId, messageId, text, markup(keyboard ?? []), limit);
      } catch (error) {
        if (!(error instanceof GrammyError) || error.error_code !== 400) throw error;
        // The API has no error code for this.
        if (error.description.includes('message is not modified')) return;
        await send(chatId, [text], keyboard);
      }
    },
    async photo(chatId: number, png: Buffer, caption: string): Promise<void> {
      const about = { caption, parse_mode: 'HTML' as const };
      await api.sendPhoto(chatId, new InputFile(png, 'qr.png'), about, limit);
    },
  };
}
export type Messages = ReturnType<typeof createMessages>;

/** Joins blocks by blank lines into as few messages as possible; no block is split, which would break its markup. */
function packed(blocks: readonly string[]): string[] {
  const messages: string[] = [];
  for (const block of blocks) {
    const last = messages.at(-1);
    const joined = last === undefined ? block : `${last}\n\n${block}`;
    if (last === undefined || joined.length > MAX_CHARACTERS) messages.push(block);
    else messages[messages.length - 1] = joined;
  }
  return messages;
}

function plainText(html: string): string {
  return html
    .replaceAll(/<\/?(b|code|pre)>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}
