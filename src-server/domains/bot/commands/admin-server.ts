import { escapeHtml } from '../words/words.ts';
import { button, type Actions } from './chat.ts';
import type { BotTools } from './tools.ts';

const LOG_LINES = 30;
/** Most characters of a log in one message, without markup. */
const LOG_CHARACTERS = 3_000;

/** Admin actions on the panel and its core. */
export function createAdminServer({ panel, say, label, log, sendBackup }: BotTools): Actions {
  const home = button(label('button.menu'), 'menu');
  const confirmButtons = (verb: string) => [
    [button(label('button.yes'), verb), button(label('button.cancel'), 'menu')],
  ];
  return {
    async backup(chat) {
      log.info('bot.backupAsked', { chat: chat.id });
      // Errors that cannot be sent to this chat go to the log.
      sendBackup((reason) => void chat.send([say('failed', { reason })]).catch(() => undefined));
      await chat.show(say('backup.begun'), [[home]]);
    },
    restart: (chat) => chat.show(say('restart.ask'), confirmButtons('restart!')),
    async 'restart!'(chat) {
      log.info('bot.coreRestart', { chat: chat.id });
      await panel.restartCore();
      await chat.show(say('restart.done'), [[home]]);
    },
    async logs(chat) {
      const tail = panel.logTail(LOG_LINES).slice(-LOG_CHARACTERS).toWellFormed();
      const text = tail === '' ? say('logs.empty') : `<pre>${escapeHtml(tail)}</pre>`;
      await chat.show(text, [[button(label('button.refresh'), 'logs'), home]]);
    },
    resetall: (chat) => chat.show(say('resetAll.ask'), confirmButtons('resetall!')),
    async 'resetall!'(chat) {
      log.info('bot.allTrafficReset', { chat: chat.id });
      await panel.resetAllTraffic();
      await chat.show(say('resetAll.done'), [[home]]);
    },
  };
}
