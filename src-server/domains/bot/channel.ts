import type { DomainError } from '../../contract/domain-error.ts';
import type { Logger } from '../../contract/logger.ts';
import { PermanentFailure, type Channel } from '../events/channel.ts';
import { eventText, eventTime } from '../events/event-text.ts';
import { kindsOf } from '../events/kinds-of.ts';
import type { Settings } from '../settings/contract.ts';
import type { BotService } from './service.ts';
import { escapeHtml } from './words/words.ts';

/** Events that some chats have already received. */
const MAX_REMEMBERED = 1_000;

export interface BotChannelDeps {
  settings: { current(): Settings };
  bot: Pick<BotService, 'tellAdmins'>;
  hostName: () => string;
  log: Logger;
}

/** News for the admin chats. A chat that was notified is not notified again when others are retried. */
export function createBotChannel({ settings, bot, hostName, log }: BotChannelDeps): Channel {
  const reasonOf = ({ code, params }: DomainError): string => String(params['reason'] ?? code);
  const delivered = new Map<number, Set<string>>();
  return {
    name: 'bot',
    wants({ kind, facts }) {
      const { tgBotEnable, tgBotToken, tgBotChatId, tgEnabledEvents, tgCpu } = settings.current();
      if (!tgBotEnable || tgBotToken === '' || tgBotChatId === '') return false;
      if (!kindsOf(tgEnabledEvents).includes(kind)) return false;
      return kind !== 'cpu.high' || (tgCpu > 0 && Number(facts['percent']) > tgCpu);
    },
    async deliver(event, signal) {
      const { tgLang, timeLocation } = settings.current();
      const { title, body } = eventText(event, tgLang, timeLocation);
      const lines = [
        `<b>📡 ${escapeHtml(hostName())}</b>`,
        escapeHtml(title),
        escapeHtml(body),
        `⏰ ${eventTime(event.atMs, tgLang, timeLocation)}`,
      ];
      // Kept also if the delivery is given up: its chats have the message.
      const done = delivered.get(event.id) ?? new Set<string>();
      delivered.delete(event.id);
      delivered.set(event.id, done);
      const [oldest] = delivered.keys();
      if (delivered.size > MAX_REMEMBERED && oldest !== undefined) delivered.delete(oldest);
      const message = lines.filter((line) => line !== '').join('\n');
      const { failed } = await bot.tellAdmins(message, done, signal);
      const gone = failed.filter(({ isGone }) => isGone);
      for (const { chat, refusal } of gone) log.warn('bot.chatGone', { chat, reason: reasonOf(refusal) });
      const [later] = failed.filter(({ isGone }) => !isGone);
      if (later !== undefined) {
        for (const { chat } of gone) done.add(chat);
        throw new Error(reasonOf(later.refusal));
      }
      delivered.delete(event.id);
      if (done.size === 0 && gone[0] !== undefined) throw new PermanentFailure(reasonOf(gone[0].refusal));
    },
  };
}
