import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Basics } from '../basics.ts';
import { createLine } from '../../concurrency.ts';
import { DomainError } from '../../contract/domain-error.ts';
import type { Timer } from '../../contract/schedule.ts';
import type { GuardedDialer } from '../../net/guarded-dialer.ts';
import type { SettingKey, Settings } from '../settings/contract.ts';
import { parseScheduleText } from '../settings/checks/schedule-text.ts';
import type { SettingsSnapshot } from '../settings/snapshot.ts';
import { createConversations } from './commands/conversations.ts';
import { createFormat } from './commands/format.ts';
import type { BotTools } from './commands/tools.ts';
import { botIsOff } from './connection/bot-state.ts';
import type { BotRun } from './connection/run-bot.ts';
import type { SpeakerDeps } from './connection/speaker.ts';
import type { BotState } from './contract.ts';
import { createDelivery, type RunningBot } from './delivery.ts';
import type { BotPanel } from './panel-port.ts';
import { createTies } from './ties.ts';
import { createLabel, createRefusal, createSay, languageOf } from './words/words.ts';

export interface BotServiceDeps extends Pick<Basics, 'clock' | 'monotonic' | 'schedule' | 'log'> {
  settings: Pick<SettingsSnapshot, 'current' | 'onChange'>;
  panel: BotPanel;
  /** Its requests follow the bot settings, including the proxy. */
  dialer: GuardedDialer;
  /** Signs what the bot hands out and later has to verify. */
  secret: () => Promise<string>;
  lastTaken: { read: () => Promise<string>; write: (text: string) => Promise<void> };
  textOf: (error: Pick<DomainError, 'code' | 'params'>) => string;
}

/** A change of these settings restarts the bot; all others are read when needed. */
const STARTS_ANEW: ReadonlySet<SettingKey> = new Set<SettingKey>([
  'tgBotEnable',
  'tgBotToken',
  'tgBotProxy',
  'tgBotAPIServer',
  'tgBotAllowPrivate',
  'tgBotWebhookURL',
  'tgLang',
  'timeLocation',
  'datepicker',
]);

/** The secret that authenticates an API server's webhook calls. */
export interface WebhookProof {
  path: string;
  header: string;
}

/** The messaging bot: it runs next to the panel, and nothing in the panel ever waits for it. */
export function createBotService(deps: BotServiceDeps) {
  const { settings, panel, clock, schedule, log, textOf } = deps;
  const inTurn = createLine();
  let run: BotRun | null = null;
  let tools: BotTools | null = null;
  let stoppedAtMs = clock();
  let report: Timer | null = null;
  let isClosed = false;

  const ties = createTies({ ...deps, username: () => run?.state().username ?? '' });
  const delivery = createDelivery({ ...deps, running });
  const sendReport = (): Promise<void> => delivery.sendReport();

  async function proof(): Promise<WebhookProof> {
    const mark = createHmac('sha256', await deps.secret())
      .update('bot-webhook')
      .digest('hex');
    return { path: mark.slice(0, 32), header: mark.slice(32) };
  }

  function toolsFor(current: Settings): BotTools {
    const language = languageOf(current.tgLang);
    const say = createSay(language);
    const refusal = createRefusal(language, textOf);
    return {
      panel,
      say,
      label: createLabel(language),
      refusal,
      format: createFormat(current, say, clock),
      conversations: createConversations(clock),
      clock,
      log,
      tieLink: async (clientId, tgId) => (await ties.link(clientId, tgId))?.link ?? null,
      tie: (payload, chatId) => ties.use(payload, chatId),
      sendBackup: (onFailure) =>
        void delivery.sendBackup().catch((error: unknown) => {
          const reason = error instanceof DomainError ? textOf(error) : String(error);
          log.warn('bot.backupFailed', { reason });
          onFailure(error instanceof DomainError ? refusal(error) : reason);
        }),
    };
  }

  const speakerDeps = (current: Settings): SpeakerDeps => ({
    token: current.tgBotToken,
    apiServer: current.tgBotAPIServer,
    allowPrivate: current.tgBotAllowPrivate,
    dialer: deps.dialer,
    schedule,
  });

  /** A test works before the bot is enabled: the bot then only sends, and does not receive. */
  async function test(): Promise<{ chats: string[] }> {
    const current = settings.current();
    if (current.tgBotEnable) return delivery.test(running());
    if (current.tgBotToken === '') throw new DomainError('bot.noToken');
    const { createSpeaker } = await import('./connection/speaker.ts');
    const over = new AbortController();
    try {
      return await delivery.test({ ...createSpeaker(speakerDeps(current), over.signal), tools: toolsFor(current) });
    } finally {
      over.abort();
    }
  }

  async function start(): Promise<void> {
    const current = settings.current();
    if (isClosed || !current.tgBotEnable || current.tgBotToken === '') return;
    // Loaded on demand: a panel without a bot does not spend memory on the library.
    const { runBot } = await import('./connection/run-bot.ts');
    const { path, header } = await proof();
    const { tgBotWebhookURL: address } = current;
    tools = toolsFor(current);
    run = runBot({
      ...speakerDeps(current),
      webhook: address === '' ? null : { url: `${address.replace(/\/+$/, '')}/bot/${path}`, secret: header },
      isAdmin: delivery.isAdmin,
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

  function plan(): void {
    report?.cancel();
    report = null;
    const { tgBotEnable, tgRunTime, timeLocation } = settings.current();
    const when = parseScheduleText(tgRunTime);
    if (isClosed || !tgBotEnable || when === null) return;
    report =
      when.kind === 'every'
        ? schedule.every(when.intervalMs, sendReport)
        : schedule.cron(when.expression, timeLocation === 'Local' ? '' : timeLocation, sendReport);
  }

  /** @throws {DomainError} `bot.disabled`, `bot.noToken`, `bot.notRunning` */
  function running(): RunningBot {
    const { tgBotEnable, tgBotToken } = settings.current();
    if (!tgBotEnable) throw new DomainError('bot.disabled');
    if (tgBotToken === '') throw new DomainError('bot.noToken');
    if (run === null || tools === null) throw new DomainError('bot.notRunning');
    return { ...run, tools };
  }

  const unsubscribe = settings.onChange(({ changed }) => {
    if ([...changed].some((key) => STARTS_ANEW.has(key)))
      restart().catch((error: unknown) => log.error('bot.notStarted', { error }));
    if (['tgBotEnable', 'tgRunTime', 'timeLocation'].some((key) => changed.has(key as SettingKey))) plan();
  });

  return {
    /** Returns at once, without waiting for the API server. */
    start(): void {
      restart().catch((error: unknown) => log.error('bot.notStarted', { error }));
      plan();
    },

    state(): BotState {
      const { tgBotEnable, tgBotToken, tgBotWebhookURL } = settings.current();
      const state = run?.state() ?? botIsOff(tgBotWebhookURL === '' ? 'polling' : 'webhook', stoppedAtMs);
      if (!tgBotEnable || tgBotToken !== '') return state;
      const problem = { code: 'bot.noToken', params: {} };
      return { ...state, state: 'waiting', problem: { ...problem, text: textOf(problem) } };
    },

    /** @throws {DomainError} `bot.*`, with the error text of the peer that refused */
    test,
    sendBackup: () => delivery.sendBackup(),

    /** Sends a message to the admin chats not in `skip`. @throws {DomainError} `bot.*` */
    tellAdmins: (html: string, skip: ReadonlySet<string>) =>
      delivery.toEach((chat, { messages }) => messages.send(chat, [html]), skip),

    /** @throws {DomainError} `client.notFound`, `bot.notRunning` */
    async linkFor(email: string): Promise<{ link: string; expiresAtMs: number }> {
      running();
      const id = (await panel.idsOf([email])).get(email);
      const client = id === undefined ? null : await panel.clientById(id);
      if (client === null) throw new DomainError('client.notFound');
      const made = await ties.link(client.record.recordId, client.record.tgId);
      if (made === null) throw new DomainError('bot.notRunning');
      return made;
    },

    /** Takes a webhook message. @returns false for any other caller, and in polling mode */
    async takeUpdate(sent: WebhookProof, update: object): Promise<boolean> {
      const wanted = await proof();
      if (!isSame(sent.path, wanted.path) || !isSame(sent.header, wanted.header)) return false;
      if (run === null || run.state().mode !== 'webhook' || !('update_id' in update)) return false;
      await run.take(update as Parameters<BotRun['take']>[0]);
      return true;
    },

    async close(): Promise<void> {
      isClosed = true;
      unsubscribe();
      report?.cancel();
      await restart();
    },
  };
}
export type BotService = ReturnType<typeof createBotService>;

function isSame(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.length === other.length && timingSafeEqual(one, other);
}
