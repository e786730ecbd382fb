import type { Logger } from '../../../contract/logger.ts';
import type { DomainError } from '../../../contract/domain-error.ts';
import type { BotPanel } from '../panel-port.ts';
import type { Say } from '../words/words.ts';
import type { Conversations } from './conversations.ts';
import type { Format } from './format.ts';

/** Dependencies of every answer of the bot. */
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
