import type { Bot } from 'grammy';
import type { Update } from 'grammy/types';
import { DomainError } from '../../../contract/domain-error.ts';
import type { Logger } from '../../../contract/logger.ts';
import type { BotTools } from '../commands/tools.ts';
import type { StateDeps } from './bot-state.ts';
import { chatOf } from './inbox.ts';
import type { Speaker } from './speaker.ts';

export interface HandlerDeps extends Pick<StateDeps, 'textOf'> {
  tools: BotTools;
  log: Logger;
}

/** Handles an update; a failure is logged, and a refusal of the panel goes to the sender. */
export function createUpdateHandler(
  bot: Bot,
  { messages, problem }: Speaker,
  { tools, textOf, log }: HandlerDeps,
  signal: AbortSignal,
) {
  /** A refusal of the panel goes to the sender; a refusal of the API server cannot. */
  async function tellFailure(update: Update, error: unknown): Promise<void> {
    if (signal.aborted) return;
    const chatId = chatOf(update);
    const isOurs = error instanceof DomainError;
    const reason = textOf(isOurs ? error : problem(error));
    log[isOurs ? 'info' : 'warn']('bot.answerFailed', { chat: chatId, reason });
    if (!isOurs || chatId === null) return;
    const failed = tools.say('failed', { reason: tools.refusal(error) });
    await messages
      .send(chatId, [failed])
      .catch((later: unknown) => log.warn('bot.answerFailed', { chat: chatId, reason: problem(later).code }));
  }

  return async (update: Update): Promise<void> => {
    if (signal.aborted) return;
    try {
      await bot.handleUpdate(update);
    } catch (error) {
      await tellFailure(update, causeOf(error));
    }
  };
}

/** The library wraps what a handler throws. */
const causeOf = (error: unknown): unknown =>
  error instanceof Error && 'error' in error && 'ctx' in error ? error.error : error;
