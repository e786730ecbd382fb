import { readMarkup } from './message-markup.ts';

/** A refusal of the API. */
export interface Refusal {
  status: number;
  description: string;
  retryAfterS?: number;
  /** Only calls for this chat; absent = any. */
  chatId?: number;
}

export class Refused extends Error {
  readonly refusal: Refusal;
  constructor(status: number, description: string) {
    super(description);
    this.refusal = { status, description };
  }
}

/** A call that the peer accepted. */
export interface TakenCall {
  method: string;
  chatId: string;
  /** Of a message: its text without markup. */
  text: string;
  /** Callback data of its buttons, in their order. */
  buttons: string[];
  file: { name: string; bytes: Buffer } | null;
  payload: Readonly<Record<string, unknown>>;
}

const MAX_CHARACTERS = 4_096;
const MAX_BUTTONS = 100;
const MAX_BUTTON_BYTES = 64;

/** Takes messages of the bot, and refuses those that the API would refuse. */
export function createSentMessages(chats: ReadonlySet<number>, nextId: () => number) {
  const messages = new Map<string, string>();

  return (method: string, payload: Record<string, unknown>): TakenCall => {
    const chatId = Number(payload['chat_id']);
    if (!chats.has(chatId)) throw new Refused(403, "Forbidden: bot can't initiate conversation with a user");
    const raw = textOf(payload['text'] ?? payload['caption']);
    let text = raw;
    if (!raw.isWellFormed()) throw new Refused(400, 'Bad Request: strings must be encoded in UTF-8');
    try {
      if (payload['parse_mode'] === 'HTML') text = readMarkup(raw);
    } catch (error) {
      throw new Refused(400, `Bad Request: ${(error as Error).message}`);
    }
    if (text.length > MAX_CHARACTERS) throw new Refused(400, 'Bad Request: message is too long');
    const hasText = method === 'sendMessage' || method === 'editMessageText';
    if (hasText && text.trim() === '') throw new Refused(400, 'Bad Request: message text is empty');
    const { inline_keyboard: rows = [] } = (payload['reply_markup'] ?? {}) as {
      inline_keyboard?: { callback_data: string }[][];
    };
    const buttons = rows.flat().map(({ callback_data: data }) => data);
    if (buttons.some((data) => Buffer.byteLength(data) > MAX_BUTTON_BYTES || data === ''))
      throw new Refused(400, 'Bad Request: BUTTON_DATA_INVALID');
    if (buttons.length > MAX_BUTTONS) throw new Refused(400, 'Bad Request: reply markup is too long');
    const place = `${chatId}:${Number(payload['message_id'] ?? nextId())}`;
    const content = JSON.stringify([raw, rows]);
    if (method === 'editMessageText' && messages.get(place) === content)
      throw new Refused(400, 'Bad Request: message is not modified');
    messages.set(place, content);
    return { method, chatId: String(chatId), text, buttons, file: null, payload };
  };
}

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
