/** Who may request a change. `window` is the desktop's own, `master` a panel above this one. */
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

/** A requested change, as far as the journal records it. */
export interface Act {
  actor: Actor;
  /** Admin's name, name of the token, chat of the bot, or command. */
  name: string;
  /** Where it came from; empty for what came from this machine. */
  address: string;
  /** The request: method and path of the call, or the command. */
  verb: string;
  /** Sent by the page that caused it; empty otherwise. */
  requestId: string;
  /** The entry that this one undoes. */
  undoOf?: number;
  /** Resulting entries, added as they are committed. */
  entries?: number[];
}
