import type { Basics } from '../basics.ts';
import { createLine } from '../../concurrency.ts';
import { DomainError } from '../../contract/domain-error.ts';
import type { GuardedDialer } from '../../net/guarded-dialer.ts';
import type { Settings } from '../settings/contract.ts';
import type { SettingsSnapshot } from '../settings/snapshot.ts';
import type { BotTools } from './commands/tools.ts';
import { botIsOff } from './connection/bot-state.ts';
import type { BotRun } from './connection/run-bot.ts';
import type { SpeakerDeps } from './connection/speaker.ts';
import type { BotState } from './contract.ts';
import type { RunningBot } from './delivery.ts';
import type { WebhookProof } from './webhook-proof.ts';

export interface RunsDeps extends Pick<Basics, 'clock' | 'monotonic' | 'schedule' | 'log'> {
  settings: Pick<SettingsSnapshot, 'current'>;
  dialer: GuardedDialer;
  lastTaken: { read: () => Promise<string>; write: (text: string) => Promise<void> };
  textOf: (error: Pick<DomainError, 'code' | 'params'>) => string;
  proof: () => Promise<WebhookProof>;
  isAdmin: (userId: number) => boolean;
  toolsFor: (current: Settings) => BotTools;
}

/** How to reach the API server with these settings. */
export const speakerDepsOf = (
  current: Settings,
  { dialer, schedule }: Pick<RunsDeps, 'dialer' | 'schedule'>,
): SpeakerDeps => ({
  token: current.tgBotToken,
  apiServer: current.tgBotAPIServer,
  allowPrivate: current.tgBotAllowPrivate,
  dialer,
  schedule,
});

/** The runs of the bot, one after the other, each with the settings in force when it began. */
export function createRuns(deps: RunsDeps) {
  const { settings, clock, log, textOf } = deps;
  const inTurn = createLine();
  let run: BotRun | null = null;
  let tools: BotTools | null = null;
  let stoppedAtMs = clock();
  let isClosed = false;

  async function start(): Promise<void> {
    const current = settings.current();
    if (isClosed || !current.tgBotEnable || current.tgBotToken === '') return;
    // Loaded on demand: a panel without a bot does not spend memory on the library.
    const { runBot } = await import('./connection/run-bot.ts');
    const { path, header } = await deps.proof();
    const { tgBotWebhookURL: address } = current;
    tools = deps.toolsFor(current);
    run = runBot({
      ...speakerDepsOf(current, deps),
      webhook: address === '' ? null : { url: `${address.replace(/\/+$/, '')}/bot/${path}`, secret: header },
      isAdmin: deps.isAdmin,
      tools,
      lastTaken: deps.lastTaken,
      textOf,
      clock,
      monotonic: deps.monotonic,
      log,
    });
  }

  /** Runs are serialised, so that there are never two: the next begins when the last has ended. */
  function restart(): Promise<void> {
    return inTurn(async () => {
      const last = run;
      run = null;
      tools = null;
      stoppedAtMs = clock();
      await last?.stop();
      await start();
    });
  }

  /** @throws {DomainError} `bot.disabled`, `bot.noToken`, `bot.notRunning` */
  function running(): RunningBot {
    const { tgBotEnable, tgBotToken } = settings.current();
    if (!tgBotEnable) throw new DomainError('bot.disabled');
    if (tgBotToken === '') throw new DomainError('bot.noToken');
    if (run === null || tools === null) throw new DomainError('bot.notRunning');
    return { ...run, tools };
  }

  return {
    restart,
    running,
    /** Name of the bot; empty until it is known. */
    username: (): string => run?.state().username ?? '',
    /** State of the run; without one, that the bot is off. */
    state: (): BotState =>
      run?.state() ?? botIsOff(settings.current().tgBotWebhookURL === '' ? 'polling' : 'webhook', stoppedAtMs),
    /**
     * Takes a webhook message of the API server. @returns false in polling mode, without a run, and before the bot knows
     * its name: the API server then sends it again
     */
    async take(update: object): Promise<boolean> {
      if (run === null || !('update_id' in update)) return false;
      const { mode, username } = run.state();
      if (mode !== 'webhook' || username === '') return false;
      await run.take(update as Parameters<BotRun['take']>[0]);
      return true;
    },
    /** Ends the last run; no other begins. */
    async close(): Promise<void> {
      isClosed = true;
      await restart();
    },
  };
}
