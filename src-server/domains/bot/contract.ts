import * as z from 'zod';
import { endpoint } from '../../contract/endpoint.ts';
import { Reason } from '../../contract/envelope.ts';

/** State of the messaging bot and its connection to the API server. */
export const BotState = z.object({
  /**
   * `off`: disabled; `starting`: no response yet; `running`: messages come in; `waiting`: something is wrong, and the
   * bot retries.
   */
  state: z.enum(['off', 'starting', 'running', 'waiting']),
  /** How messages come in: by polling, or by webhook to an address of this panel. */
  mode: z.enum(['polling', 'webhook']),
  /** User name of the bot, without `@`; empty until the API server has reported it. */
  username: z.string(),
  /** Since when it is in this state, in ms since 1970. */
  sinceMs: z.int(),
  /** When the API server last answered successfully, in ms since 1970; 0 = not yet. */
  lastAnswerAtMs: z.int(),
  /** In state `waiting`: what is wrong. */
  problem: z
    .object({
      code: z.string(),
      params: z.record(z.string(), z.union([z.string(), z.number()])),
      /** The same as English text. */
      text: z.string(),
    })
    .nullable(),
  /** In state `waiting`: time of the next attempt, in ms since 1970; 0 = none. */
  retryAtMs: z.int(),
});
export type BotState = z.infer<typeof BotState>;

export const getBotState = endpoint('GET', '/panel/api/setting/botState', {
  summary: 'How the messaging bot stands with its API server, and what is wrong with it.',
  result: BotState,
});

export const testBot = endpoint('POST', '/panel/api/setting/testTgBot', {
  summary: 'Sends a test message of the messaging bot to every admin chat, with the stored settings.',
  result: z.object({
    /** Ids of the chats that accepted the message. */
    chats: z.array(z.string()),
  }),
  message: 'bot.testSent',
});

export const backupToBot = endpoint('POST', '/panel/api/backuptobot', {
  summary: 'Sends a fresh backup to every admin chat of the messaging bot. It contains every secret of the panel.',
  result: z.object({
    /** Ids of the chats that received it. */
    chats: z.array(z.string()),
    /** Chats that did not receive it, each with the reason. */
    failed: z.array(
      Reason.extend({
        /** Id of the chat. */
        chat: z.string(),
      }),
    ),
  }),
  message: 'bot.backupSent',
});

export const linkClientToBot = endpoint('POST', '/panel/api/clients/botLink/:email', {
  summary: 'A link that ties the first person to open it in the messenger to this client, once, within seven days.',
  params: z.object({ email: z.string().max(1024) }),
  result: z.object({
    /** Address that opens the bot in the messenger. */
    link: z.string(),
    /** Until when the link can be used, in ms since 1970. */
    expiresAtMs: z.int(),
  }),
});

export const takeBotUpdate = endpoint('POST', '/bot/:secret', {
  access: 'public',
  summary: 'Where the API server of the messaging bot brings messages when it is told to.',
  params: z.object({
    /** Secret part of the address; requests to other addresses are not answered. */
    secret: z.string().max(128),
  }),
  body: z.looseObject({}),
  encoding: 'json',
  result: z.string(),
  response: 'attachment',
});
