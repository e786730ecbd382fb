import type { Api } from 'grammy';
import type { Update } from 'grammy/types';
import { DomainError } from '../../../contract/domain-error.ts';
import { createChatHandlers } from '../commands/chat-handlers.ts';
import type { BotState } from '../contract.ts';
import { retryAfterOf } from './api-problem.ts';
import { createBotState, type StateDeps } from './bot-state.ts';
import { createUpdateHandler, type HandlerDeps } from './handle-update.ts';
import { createInbox, type InboxDeps } from './inbox.ts';
import { listen, offeredCommands } from './listen.ts';
import { pause } from './pause.ts';
import { poll, UPDATE_KINDS } from './poll.ts';
import { createSpeaker, type Speaker, type SpeakerDeps } from './speaker.ts';

const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 300_000;
/** Refusals that an operator has to fix are retried slowly. */
const SLOW_RETRY_MS: Readonly<Record<string, number>> = { 'bot.tokenRefused': 30_000, 'bot.conflict': 10_000 };
/** How often to check whether the API server can deliver messages here. */
const WEBHOOK_LOOK_MS = 60_000;

export interface RunDeps extends SpeakerDeps, HandlerDeps, Pick<StateDeps, 'clock'>, Pick<InboxDeps, 'lastTaken'> {
  /** Where the API server delivers messages; null = polling. */
  webhook: { url: string; secret: string } | null;
  isAdmin: (userId: number) => boolean;
  monotonic: () => number;
}

/** A running bot, from start to stop. */
export interface BotRun extends Speaker {
  state: () => BotState;
  /** Takes a message delivered by webhook. */
  take: (update: Update) => Promise<void>;
  /** Aborts every call in progress, and resolves when running work has ended. */
  stop: () => Promise<void>;
}

export function runBot(deps: RunDeps): BotRun {
  const { clock, schedule, log, webhook, tools } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const { bot, ...speaker } = createSpeaker(deps, signal);
  const { problem } = speaker;
  listen(bot, createChatHandlers(tools), speaker.messages, deps.isAdmin);
  const state = createBotState(
    {
      ...deps,
      onChange: ({ state: now, problem: trouble }) =>
        log[now === 'waiting' ? 'warn' : 'info']('bot.state', { state: now, problem: trouble?.text ?? '' }),
    },
    webhook === null ? 'polling' : 'webhook',
  );
  const handle = createUpdateHandler(bot, speaker, deps, signal);
  const inbox = createInbox({ botId: () => bot.botInfo.id, lastTaken: deps.lastTaken, handle });
  let failures = 0;

  async function connect(api: Api): Promise<void> {
    bot.botInfo = await api.getMe();
    state.named(bot.botInfo.username);
    if (webhook === null) await api.deleteWebhook();
    else await api.setWebhook(webhook.url, { secret_token: webhook.secret, allowed_updates: UPDATE_KINDS });
    // The bot works without the list.
    await api.setMyCommands(offeredCommands(tools.label)).catch((error: unknown) => {
      log.info('bot.commandsNotShown', { reason: problem(error).code });
    });
  }

  function noteSuccess(): void {
    failures = 0;
    state.running();
  }

  async function watchWebhook(): Promise<void> {
    let since = Math.floor(clock() / 1_000);
    while (!signal.aborted) {
      const { last_error_date: at = 0, last_error_message: reason = '' } = await bot.api.getWebhookInfo();
      if (at >= since) state.waiting(new DomainError('bot.webhookFailing', { reason }), 0);
      else noteSuccess();
      // The last failure stays in the API server's response after delivery works again.
      since = Math.floor(clock() / 1_000);
      await pause(schedule, WEBHOOK_LOOK_MS, signal);
    }
  }

  async function receive(): Promise<void> {
    await connect(bot.api);
    if (webhook !== null) await watchWebhook();
    else
      await poll({
        api: bot.api,
        signal,
        monotonic: deps.monotonic,
        wait: (delayMs) => pause(schedule, delayMs, signal),
        onResponse: noteSuccess,
        take: (updates) => inbox.take(updates),
      });
  }

  async function keepReceiving(): Promise<void> {
    while (!signal.aborted) {
      try {
        await receive();
      } catch (error) {
        if (signal.aborted) return;
        const trouble = problem(error);
        const growingMs = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(failures, 20));
        const delayMs = Math.max(growingMs, SLOW_RETRY_MS[trouble.code] ?? 0, retryAfterOf(error) * 1_000);
        failures += 1;
        state.waiting(trouble, clock() + delayMs);
        await pause(schedule, delayMs, signal);
      }
    }
  }

  const receiving = keepReceiving();
  return {
    ...speaker,
    state: state.current,
    take: (update) => inbox.take([update]),
    async stop() {
      stopping.abort();
      await receiving;
      await inbox.idle();
    },
  };
}
