import type { Logger } from '../../../contract/logger.ts';
import { DomainError } from '../../../contract/domain-error.ts';
import type { BotPanel } from '../panel-port.ts';
import type { Settings } from '../../settings/contract.ts';
import { createLabel, createRefusal, createSay, languageOf, type Say } from '../words/words.ts';
import { createConversations, type Conversations } from './conversations.ts';
import { createFormat, type Format } from './format.ts';

/** Dependencies of every handler of the bot. */
export interface BotTools {
  panel: BotPanel;
  /** Texts of messages, with markup. */
  say: Say;
  /** Texts of buttons, without markup. */
  label: Say;
  /** The reason for a refusal of the panel, without markup. */
  refusal: (error: Pick<DomainError, 'code' | 'params'>) => string;
  format: Format;
  conversations: Conversations;
  clock: () => number;
  log: Logger;
  /** A link that ties a chat to a client; null until the bot knows its name. */
  tieLink: (clientId: number, tgId: number) => Promise<string | null>;
  /** Ties a chat to the client of a link. @returns its e-mail; null when the link is invalid */
  tie: (payload: string, chatId: number) => Promise<string | null>;
  /** Makes a backup and sends it in the background; a failure is reported to the admin who asked. */
  sendBackup: (onFailure: (reason: string) => void) => void;
}

export interface ToolsDeps extends Pick<BotTools, 'panel' | 'clock' | 'log'> {
  ties: {
    link: (clientId: number, tgId: number) => Promise<{ link: string } | null>;
    use: BotTools['tie'];
  };
  /** Makes a backup and sends it. @throws {DomainError} `bot.*` */
  sendBackup: () => Promise<unknown>;
  textOf: (error: Pick<DomainError, 'code' | 'params'>) => string;
}

/** The tools in the language, time zone and calendar of these settings. */
export function createTools(current: Settings, { panel, clock, log, ties, sendBackup, textOf }: ToolsDeps): BotTools {
  const language = languageOf(current.tgLang);
  const say = createSay(language);
  const refusal = createRefusal(language, textOf);
  return {
    panel,
    say,
    label: createLabel(language),
    refusal,
    format: createFormat(current, say, clock),
    conversations: createConversations(clock),
    clock,
    log,
    tieLink: async (clientId, tgId) => (await ties.link(clientId, tgId))?.link ?? null,
    tie: (payload, chatId) => ties.use(payload, chatId),
    sendBackup: (onFailure) =>
      void sendBackup().catch((error: unknown) => {
        const reason = error instanceof DomainError ? textOf(error) : String(error);
        log.warn('bot.backupFailed', { reason });
        onFailure(error instanceof DomainError ? refusal(error) : reason);
      }),
  };
}
