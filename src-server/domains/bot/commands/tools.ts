import type { Logger } from '../../../contract/logger.ts';
import type { DomainError } from '../../../contract/domain-error.ts';
import type { BotPanel } from '../panel-port.ts';
import type { Say } from '../words/words.ts';
import type { Conversations } from './conversations.ts';
import type { Format } from './format.ts';

/** What every answer of the bot is made with. */
export interface BotTools {
  panel: BotPanel;
  /** Texts of messages, in markup. */
  say: Say;
  /** Texts of buttons, without markup. */
  label: Say;
  /** Why the panel refuses something, without markup. */
  refusal: (error: Pick<DomainError, 'code' | 'params'>) => string;
  format: Format;
  conversations: Conversations;
  clock: () => number;
  log: Logger;
  /** A link that ties a chat to a client; null while the bot does not know its own name. */
  tieLink: (clientId: number, tgId: number) => Promise<string | null>;
  /** Ties a chat to the client that a link is for. @returns its e-mail; null when the link is worth nothing */
  tie: (payload: string, chatId: number) => Promise<string | null>;
  /** Makes a backup and sends it in the background; the admin who asked is told why it failed. */
  sendBackup: (onFailure: (reason: string) => void) => void;
}
