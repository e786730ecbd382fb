import type { Basics } from '../basics.ts';
import { DomainError } from '../../contract/domain-error.ts';
import type { GuardedDialer } from '../../net/guarded-dialer.ts';
import type { SettingKey, Settings } from '../settings/contract.ts';
import type { SettingsSnapshot } from '../settings/snapshot.ts';
import { createTools, type BotTools } from './commands/tools.ts';
import type { BotState } from './contract.ts';
import { createDelivery } from './delivery.ts';
import type { BotPanel } from './panel-port.ts';
import { createReportSchedule } from './report-schedule.ts';
import { createRuns, speakerDepsOf } from './runs.ts';
import { createTies } from './ties.ts';
import { createWebhookProof, type WebhookProof } from './webhook-proof.ts';

export interface BotServiceDeps extends Pick<Basics, 'clock' | 'monotonic' | 'schedule' | 'log'> {
  settings: Pick<SettingsSnapshot, 'current' | 'onChange'>;
  panel: BotPanel;
  /** Its requests follow the bot settings, including the proxy. */
  dialer: GuardedDialer;
  /** Signs what the bot hands out and later has to verify. */
  secret: () => Promise<string>;
  lastTaken: { read: () => Promise<string>; write: (text: string) => Promise<void> };
  usedLinks: { read: () => Promise<string>; write: (text: string) => Promise<void> };
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

/** The messaging bot: it runs next to the panel, and nothing in the panel ever waits for it. */
export function createBotService(deps: BotServiceDeps) {
  const { settings, panel, clock, schedule, log, textOf } = deps;
  const ties = createTies({ ...deps, used: deps.usedLinks, username: () => runs.username() });
  const delivery = createDelivery({ ...deps, running: () => runs.running() });
  const webhook = createWebhookProof(deps.secret);
  const toolsFor = (current: Settings): BotTools =>
    createTools(current, { panel, clock, log, ties, sendBackup: () => delivery.sendBackup(), textOf });
  const runs = createRuns({ ...deps, proof: webhook.proof, isAdmin: delivery.isAdmin, toolsFor });
  const report = createReportSchedule({ settings, schedule, sendReport: () => delivery.sendReport() });

  /** A test works before the bot is enabled: the bot then only sends, and does not receive. */
  async function test(): Promise<{ chats: string[] }> {
    const current = settings.current();
    if (current.tgBotEnable) return delivery.test(runs.running());
    if (current.tgBotToken === '') throw new DomainError('bot.noToken');
    const { createSpeaker } = await import('./connection/speaker.ts');
    const over = new AbortController();
    try {
      return await delivery.test({
        ...createSpeaker(speakerDepsOf(current, deps), over.signal),
        tools: toolsFor(current),
      });
    } finally {
      over.abort();
    }
  }

  const unsubscribe = settings.onChange(({ changed }) => {
    if ([...changed].some((key) => STARTS_ANEW.has(key)))
      runs.restart().catch((error: unknown) => log.error('bot.notStarted', { error }));
    if (['tgBotEnable', 'tgRunTime', 'timeLocation'].some((key) => changed.has(key as SettingKey))) report.plan();
  });

  return {
    /** Returns at once, without waiting for the API server. */
    start(): void {
      runs.restart().catch((error: unknown) => log.error('bot.notStarted', { error }));
      report.plan();
    },

    state(): BotState {
      const { tgBotEnable, tgBotToken } = settings.current();
      const state = runs.state();
      if (!tgBotEnable || tgBotToken !== '') return state;
      const problem = { code: 'bot.noToken', params: {} };
      return { ...state, state: 'waiting', problem: { ...problem, text: textOf(problem) } };
    },

    /** @throws {DomainError} `bot.*`, with the error text of the peer that refused */
    test,
    sendBackup: () => delivery.sendBackup(),

    /**
     * Sends a message to the admin chats not in `done`, and adds each chat that took it.
     * @throws {DomainError} `bot.*`
     */
    tellAdmins: (html: string, done: Set<string>, signal: AbortSignal) =>
      delivery.toEach(async (chat, { messagesUntil }) => {
        await messagesUntil(signal).send(chat, [html]);
        done.add(chat);
      }, done),

    /** @throws {DomainError} `client.notFound`, `bot.notRunning` */
    async linkFor(email: string): Promise<{ link: string; expiresAtMs: number }> {
      runs.running();
      const id = (await panel.idsOf([email])).get(email);
      const client = id === undefined ? null : await panel.clientById(id);
      if (client === null) throw new DomainError('client.notFound');
      const made = await ties.link(client.record.recordId, client.record.tgId);
      if (made === null) throw new DomainError('bot.notRunning');
      return made;
    },

    /** Takes a webhook message. @returns false for any other caller, and in polling mode */
    async takeUpdate(sent: WebhookProof, update: object): Promise<boolean> {
      return (await webhook.isValid(sent)) && runs.take(update);
    },

    async close(): Promise<void> {
      unsubscribe();
      report.close();
      await runs.close();
    },
  };
}
export type BotService = ReturnType<typeof createBotService>;
