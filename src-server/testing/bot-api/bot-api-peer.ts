import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listening, originOf, shut } from '../peers/local-server.ts';
import { createSentMessages, Refused, textOf, type Refusal, type TakenCall } from './sent-messages.ts';
import { createUpdateQueue } from './update-queue.ts';

export const BOT_TOKEN = '7000000001:AAF-test-token-of-the-local-peer';
const BOT = { id: 7_000_000_001, is_bot: true, first_name: 'Panel', username: 'panel_test_bot' };

/**
 * A local replacement for the messenger's bot API: real HTTP, its envelopes, its long polling with offsets, its
 * refusals of broken markup, of long texts and of chats that never wrote, its conflicts. Nothing of it is a stub of
 * ours.
 */
export async function startBotApiPeer() {
  const taken: TakenCall[] = [];
  const chats = new Set<number>();
  const refusals: (Refusal & { method: string })[] = [];
  let token = BOT_TOKEN;
  let isHanging = false;
  let webhook = { url: '', secret: '' };
  let webhookError = {};
  let lastMessageId = 100;
  const counts = { polls: 0, conflicts: 0, requests: 0, refused: 0 };
  const updates = createUpdateQueue(counts);
  const nextMessageId = (): number => (lastMessageId += 1);
  const accepted = createSentMessages(chats, nextMessageId);

  async function run(method: string, payload: Record<string, unknown>, file: TakenCall['file']): Promise<unknown> {
    const isFor = ({ chatId }: Refusal): boolean => chatId === undefined || chatId === Number(payload['chat_id']);
    const planned = refusals.findIndex((one) => one.method === method && isFor(one));
    if (planned >= 0) {
      counts.refused += 1;
      const [refusal] = refusals.splice(planned, 1);
      throw Object.assign(new Refused(refusal!.status, refusal!.description), { refusal });
    }
    switch (method) {
      case 'getMe':
        return BOT;
      case 'getUpdates':
        if (webhook.url !== '') throw new Refused(409, "Conflict: can't use getUpdates method while webhook is active");
        return updates.poll(payload);
      case 'setWebhook':
        webhook = { url: String(payload['url']), secret: String(payload['secret_token']) };
        return true;
      case 'deleteWebhook':
        webhook = { url: '', secret: '' };
        return true;
      case 'getWebhookInfo':
        return { url: webhook.url, has_custom_certificate: false, pending_update_count: 0, ...webhookError };
      case 'setMyCommands':
        return true;
      case 'answerCallbackQuery':
        taken.push({ method, chatId: '', text: textOf(payload['text']), buttons: [], file: null, payload });
        return true;
      case 'sendMessage':
      case 'sendPhoto':
      case 'sendDocument':
      case 'editMessageText':
        taken.push({ ...accepted(method, payload), file });
        return { message_id: lastMessageId, date: 1, chat: { id: Number(payload['chat_id']), type: 'private' } };
      default:
        throw new Refused(404, 'Not Found');
    }
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    counts.requests += 1;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (isHanging) return;
    const [, sent, method = ''] = /^\/bot([^/]+)\/(\w+)$/.exec(request.url ?? '') ?? [];
    let status = 200;
    let body: object;
    try {
      if (sent !== token) throw new Refused(401, 'Unauthorized');
      const { payload, file } = await readBody(request, Buffer.concat(chunks));
      body = { ok: true, result: await run(method, payload, file) };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const { status: code, description, retryAfterS } = error.refusal;
      status = code;
      const parameters = retryAfterS === undefined ? {} : { parameters: { retry_after: retryAfterS } };
      body = { ok: false, error_code: code, description, ...parameters };
    }
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  const server = createServer((request, response) => {
    response.on('close', () => {
      if (!response.writableEnded && request.url?.endsWith('/getUpdates') === true) updates.abandonPoll();
    });
    void serve(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  await listening(server);

  const userOf = (id: number, firstName: string) => ({ id, is_bot: false, first_name: firstName });

  /** A message from a user, as the API would deliver it. */
  function written(userId: number, text: string, { firstName = 'Someone', chat = {} } = {}): object {
    chats.add(userId);
    const [command = ''] = text.split(' ');
    return {
      message: {
        message_id: nextMessageId(),
        date: 1,
        from: userOf(userId, firstName),
        chat: { id: userId, type: 'private', first_name: firstName, ...chat },
        text,
        ...(text.startsWith('/') ? { entities: [{ type: 'bot_command', offset: 0, length: command.length }] } : {}),
      },
    };
  }

  return {
    origin: originOf(server),
    taken,
    counts,
    /** A chat that has written to the bot before. */
    knows: (...ids: number[]) => ids.forEach((id) => chats.add(id)),
    writes: (userId: number, text: string, more: { firstName?: string; chat?: object } = {}) =>
      updates.push(written(userId, text, more)),
    written,
    /** Presses a button, or sends data that no button ever carried. */
    presses(userId: number, data: string, messageId = 100): number {
      chats.add(userId);
      return updates.push({
        callback_query: {
          id: `query-${updates.lastId()}`,
          from: userOf(userId, 'Someone'),
          chat_instance: '1',
          data,
          message: { message_id: messageId, date: 1, chat: { id: userId, type: 'private', first_name: 'Someone' } },
        },
      });
    },
    /** Delivers a message again, as when the API has not learned that it arrived. */
    repeat: (update: object, id: number): void => updates.repeat(update, id),
    /** The next call of this method, or the next one for this chat, is refused with this. */
    refuse: (method: string, refusal: Refusal) => void refusals.push({ method, ...refusal }),
    revokeToken: () => void (token = 'another'),
    hang: (isOn: boolean) => void (isHanging = isOn),
    webhook: () => webhook,
    /** The last message that it could not deliver, as the API reports it, even after others arrived. */
    failedWebhook: (atMs: number, message: string) =>
      void (webhookError = { last_error_date: Math.floor(atMs / 1_000), last_error_message: message }),
    async close(): Promise<void> {
      await shut(server);
    },
  };
}
export type BotApiPeer = Awaited<ReturnType<typeof startBotApiPeer>>;

async function readBody(request: IncomingMessage, body: Buffer) {
  const type = request.headers['content-type'] ?? '';
  if (!type.startsWith('multipart/'))
    return { payload: JSON.parse(String(body) || '{}') as Record<string, unknown>, file: null };
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  const payload: Record<string, unknown> = {};
  let file: TakenCall['file'] = null;
  for (const [name, value] of form) {
    if (typeof value === 'string') payload[name] = value;
    else file = { name: value.name, bytes: Buffer.from(await value.arrayBuffer()) };
  }
  return { payload, file };
}
