/** A button below a message; what it carries comes back when it is pressed, by whomever. */
interface Button {
  text: string;
  callback_data: string;
}
export type Keyboard = readonly (readonly Button[])[];

/** A private chat, as one message or pressed button of it is answered. */
export interface Chat {
  /** Of the chat and of the sender: in a private chat both are the same. */
  readonly id: number;
  readonly firstName: string;
  readonly isAdmin: boolean;
  /** Takes the place of the message whose button was pressed; a new message otherwise. */
  show(text: string, keyboard?: Keyboard): Promise<void>;
  /** New messages: the blocks together, as many as fit into each. */
  send(blocks: readonly string[], keyboard?: Keyboard): Promise<void>;
  photo(png: Buffer, caption: string): Promise<void>;
  /** A short text beside the pressed button. */
  notice(text: string): void;
}

/** What is done for a pressed button, with what it carries. */
export type Action = (chat: Chat, args: readonly string[]) => Promise<void>;
export type Actions = Readonly<Record<string, Action>>;

/** @param args ids and numbers only: the API allows 64 bytes, and a sender can forge them. */
export const button = (text: string, verb: string, ...args: (string | number)[]): Button => ({
  text,
  callback_data: [verb, ...args].join(':'),
});

/** Buttons in rows of so many. */
export function rowsOf<T>(items: readonly T[], perRow: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / perRow) }, (_, row) =>
    items.slice(row * perRow, (row + 1) * perRow),
  );
}

/** A whole number that a button carries; 0 when it carries none. */
export function numberIn(text: string | undefined): number {
  return text !== undefined && /^-?\d{1,15}$/.test(text) ? Number(text) : 0;
}
