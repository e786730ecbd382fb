import { DomainError } from '../../contract/domain-error.ts';
import type { Logger } from '../../contract/logger.ts';
import { listOf } from '../settings/checks/field-checks.ts';
import type { Settings } from '../settings/contract.ts';
import type { BotTools } from './commands/tools.ts';
import type { Speaker } from './connection/speaker.ts';
import { packBackup } from './pack-backup.ts';
import type { BotFile, BotPanel } from './panel-port.ts';
import { adminReport, endingByOwner, ownReport } from './report.ts';

export type RunningBot = Speaker & { tools: BotTools };

export interface DeliveryDeps {
  settings: { current(): Settings };
  panel: BotPanel;
  /** @throws {DomainError} `bot.disabled`, `bot.noToken`, `bot.notRunning` */
  running: () => RunningBot;
  textOf: (error: Pick<DomainError, 'code' | 'params'>) => string;
  clock: () => number;
  log: Logger;
}

/** A chat that missed something; `isGone`: it will never accept anything. */
interface FailedChat {
  chat: string;
  refusal: DomainError;
  isGone: boolean;
}

/** Everything sent to admin chats unasked: tests, backups, reports, news. */
export function createDelivery({ settings, panel, running, textOf, clock, log }: DeliveryDeps) {
  const chatIds = (): string[] => listOf(settings.current().tgBotChatId);
  const isAdmin = (userId: number): boolean => chatIds().includes(String(userId));

  /** Sends to every admin chat except those in `skip`. @throws {DomainError} `bot.noChat`, and what `running` throws */
  async function toEach(
    send: (chat: string, bot: RunningBot) => Promise<void>,
    skip: ReadonlySet<string> = new Set(),
    bot: RunningBot = running(),
  ): Promise<{ chats: string[]; failed: FailedChat[] }> {
    if (chatIds().length === 0) throw new DomainError('bot.noChat');
    const chats: string[] = [];
    const failed: FailedChat[] = [];
    for (const chat of chatIds().filter((one) => !skip.has(one))) {
      try {
        await send(chat, bot);
        chats.push(chat);
      } catch (error) {
        failed.push({ chat, refusal: bot.problem(error), isGone: bot.isChatGone(error) });
      }
    }
    return { chats, failed };
  }

  const refusedBy = ({ chat, refusal }: FailedChat): DomainError =>
    new DomainError('bot.chatRefused', { chat, reason: refusal.params['reason'] ?? textOf(refusal) });

  /** @throws {DomainError} `bot.chatRefused` when no chat took it, and what {@link toEach} throws */
  async function toChats(send: (chat: string, bot: RunningBot) => Promise<void>, bot: RunningBot = running()) {
    const { chats, failed } = await toEach(send, new Set(), bot);
    const [first] = failed;
    if (first !== undefined && chats.length === 0) throw refusedBy(first);
    return {
      chats,
      failed: failed.map(({ chat, refusal }) => {
        const { code, params } = refusal;
        return { chat, reason: textOf(refusal), code, params: { ...params } };
      }),
    };
  }

  async function sendBackup() {
    const { say, format } = running().tools;
    if (chatIds().length === 0) throw new DomainError('bot.noChat');
    const passphrase = settings.current().tgBotBackupPassphrase.trim();
    const files: BotFile[] = [];
    for (const file of await panel.backupFiles(passphrase)) files.push(await packBackup(file, passphrase));
    const about = say('backup.caption', { host: panel.hostName(), date: format.date(clock()) });
    const caption = passphrase === '' ? about : `${about}\n${say('backup.sealed')}`;
    const delivered = await toChats(async (chat, { messages }) => {
      for (const file of files) await messages.document(chat, file, caption);
    });
    log.warn('bot.backupSent', { chats: delivered.chats, failed: delivered.failed.map(({ chat }) => chat) });
    return delivered;
  }

  /** @throws {DomainError} `bot.chatRefused` when no chat took it, and it is not because they are gone */
  async function tellAdmins(bot: RunningBot): Promise<void> {
    const blocks = await adminReport(bot.tools);
    if (chatIds().length === 0) return;
    const { chats, failed } = await toEach((chat, { messages }) => messages.send(chat, blocks), new Set(), bot);
    const [later] = failed.filter(({ isGone }) => !isGone);
    if (later !== undefined && chats.length === 0) throw refusedBy(later);
    for (const { chat, refusal } of failed) log.warn('bot.reportRefused', { chat, reason: textOf(refusal) });
  }

  async function tellOwners({ tools, messages, problem }: RunningBot): Promise<void> {
    for (const [owner, ending] of await endingByOwner(panel)) {
      if (isAdmin(owner)) continue;
      const own = await ownReport(tools, owner, ending);
      // An owner who has blocked the bot does not keep others from the news.
      await messages.send(owner, own).catch((error: unknown) => {
        log.info('bot.ownReportRefused', { chat: owner, reason: problem(error).code });
      });
    }
  }

  return {
    isAdmin,
    toEach,
    sendBackup,

    /** @throws {DomainError} `bot.*`, with the error text of the peer, or for the first chat that refused */
    async test(bot: RunningBot): Promise<{ chats: string[] }> {
      await bot.check();
      const text = bot.tools.say('test.message', { host: panel.hostName() });
      const { chats, failed } = await toEach((chat, { messages }) => messages.send(chat, [text]), new Set(), bot);
      if (failed[0] !== undefined) throw refusedBy(failed[0]);
      return { chats };
    },

    /** Sends what the schedule asks for, unless the core is stopped. */
    async sendReport(): Promise<void> {
      if (panel.status().core.state !== 'running') return;
      try {
        const bot = running();
        await tellAdmins(bot);
        await tellOwners(bot);
        if (settings.current().tgBotBackup) await sendBackup();
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        log.warn('bot.reportFailed', { reason: textOf(error) });
      }
    },
  };
}
