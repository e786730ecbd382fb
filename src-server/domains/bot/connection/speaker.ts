import { Bot } from 'grammy';
import type { DomainError } from '../../../contract/domain-error.ts';
import type { Schedule } from '../../../contract/schedule.ts';
import type { GuardedDialer } from '../../../net/guarded-dialer.ts';
import { apiFetch } from './api-fetch.ts';
import { apiProblem, isChatGone } from './api-problem.ts';
import { createMessages, type Messages } from './messages.ts';
import { retrying } from './retrying.ts';

const OWN_SERVER = 'https://api.telegram.org';
/** The library's own timeout, above all of ours (api-fetch.ts). */
const LIBRARY_LIMIT_S = 7_200;

export interface SpeakerDeps {
  token: string;
  /** Empty = the messenger's own address. */
  apiServer: string;
  allowPrivate: boolean;
  dialer: GuardedDialer;
  schedule: Schedule;
}

/** Sends to the API server, whether or not messages are being received. */
export interface Speaker {
  messages: Messages;
  /** The same; `signal` ends what is being sent. */
  messagesUntil: (signal: AbortSignal) => Messages;
  /** Checks token and server. @throws {DomainError} `bot.*` */
  check: () => Promise<void>;
  /** The reason of a failed call, without the token. */
  problem: (error: unknown) => DomainError;
  /** Whether a chat will never accept messages. */
  isChatGone: (error: unknown) => boolean;
}

/** @param signal aborts every call in progress */
export function createSpeaker(deps: SpeakerDeps, signal: AbortSignal): Speaker & { bot: Bot } {
  const { token, apiServer, allowPrivate, dialer, schedule } = deps;
  const bot = new Bot(token, {
    client: {
      apiRoot: apiServer.replace(/\/+$/, '') || OWN_SERVER,
      fetch: apiFetch(dialer, allowPrivate),
      timeoutSeconds: LIBRARY_LIMIT_S,
    },
  });
  bot.api.config.use(retrying(schedule, signal));
  const problem = (error: unknown): DomainError => apiProblem(error, token);
  return {
    bot,
    messages: createMessages(bot.api),
    messagesUntil: (until) => createMessages(bot.api, until),
    problem,
    isChatGone,
    async check() {
      try {
        await bot.api.getMe();
      } catch (error) {
        throw problem(error);
      }
    },
  };
}
