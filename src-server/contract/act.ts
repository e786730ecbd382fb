/** Who may ask for a change. `window` is the desktop's own, `master` a panel above this one. */
export const ACTORS = ['admin', 'token', 'master', 'window', 'bot', 'command', 'directory'] as const;
export type Actor = (typeof ACTORS)[number];

/** What an entry of the journal is about, in the order in which an entry names it. */
export const ITEM_KINDS = [
  'inbound',
  'client',
  'host',
  'group',
  'plan',
  'template',
  'setting',
  'node',
  'token',
  'webhook',
  'outboundSub',
  'admin',
  'bin',
  'certificate',
  'view',
  'ticket',
  'master',
] as const;
export type ItemKind = (typeof ITEM_KINDS)[number];

/** A change that was asked for, as far as the journal tells of it. */
export interface Act {
  actor: Actor;
  /** User name, name of the token, chat of the bot, command. */
  name: string;
  /** Where it came from; empty for what came from this machine. */
  address: string;
  /** What was asked for: method and path of the call, or the command. */
  verb: string;
  /** Sent by the page that caused it; empty otherwise. */
  requestId: string;
  /** Entry that this takes back. */
  undoOf?: number;
  /** Entries that came of it, as they are committed. */
  entries?: number[];
}
