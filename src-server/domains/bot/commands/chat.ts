/** A button below a message; its data comes back when anybody presses it. */
interface Button {
  text: string;
  callback_data: string;
}
export type Keyboard = readonly (readonly Button[])[];

/** The private chat in which one message or pressed button is answered. */
export interface Chat {
  /** Id of both the chat and the sender: in a private chat they are the same. */
  readonly id: number;
  readonly firstName: string;
  readonly isAdmin: boolean;
  /** Replaces the message whose button was pressed; otherwise sends a new message. */
  show(text: string, keyboard?: Keyboard): Promise<void>;
  /** Sends new messages: the blocks joined, as many as fit into each. */
  send(blocks: readonly string[], keyboard?: Keyboard): Promise<void>;
  photo(png: Buffer, caption: string): Promise<void>;
  /** Shows a short text next to the pressed button. */
  notice(text: string): void;
}

/** Handles a pressed button, given its data. */
export type Action = (chat: Chat, args: readonly string[]) => Promise<void>;
export type Actions = Readonly<Record<string, Action>>;

/** @param args ids and numbers only: the API allows 64 bytes, and a sender can forge them. */
export const button = (text: string, verb: string, ...args: (string | number)[]): Button => ({
  text,
  callback_data: [verb, ...args].join(':'),
});

/** Arranges buttons in rows of a given length. */
export function rowsOf<T>(items: readonly T[], perRow: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / perRow) }, (_, row) =>
    items.slice(row * perRow, (row + 1) * perRow),
  );
}

/** A whole number from the button's data; 0 when there is none. */
export function numberIn(text: string | undefined): number {
  return text !== undefined && /^-?\d{1,15}$/.test(text) ? Number(text) : 0;
}
