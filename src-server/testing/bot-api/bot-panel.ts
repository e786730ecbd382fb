import { expect, vi } from 'vitest';
import type { BotState } from '../../domains/bot/contract.ts';
import { openPanel } from '../panels/open-panel.ts';
import { BOT_TOKEN, startBotApiPeer } from './bot-api-peer.ts';
import type { TakenCall } from './sent-messages.ts';

/** The admin of the messaging bot. */
export const ADMIN_CHAT = 11;

const LIMIT = { timeout: 15_000, interval: 20 };

/** A panel, and the local peer that its messaging bot talks to. */
export async function openBotPanel(settings: object = {}) {
  const peer = await startBotApiPeer();
  peer.knows(ADMIN_CHAT);
  const panel = await openPanel();
  const state = () => panel.read<BotState>('/setting/botState');
  return {
    peer,
    panel,
    state,
    /** Switches the bot on. */
    async enable(more: object = {}): Promise<void> {
      await panel.set({
        tgBotEnable: true,
        tgBotToken: BOT_TOKEN,
        tgBotAPIServer: peer.origin,
        tgBotAllowPrivate: true,
        tgBotChatId: String(ADMIN_CHAT),
        ...settings,
        ...more,
      });
    },
    /** Waits until the bot is in this state. */
    async comesTo(wanted: BotState['state']): Promise<BotState> {
      return vi.waitFor(async () => {
        const now = await state();
        expect(now.state).toBe(wanted);
        return now;
      }, LIMIT);
    },
    /** Does something, and waits for what the bot sends in response. @returns the calls since */
    async replies(act: () => unknown, count = 1): Promise<TakenCall[]> {
      const before = peer.taken.length;
      const sent = () => peer.taken.slice(before).filter(({ method }) => method !== 'answerCallbackQuery');
      act();
      await vi.waitFor(() => expect(sent().length).toBeGreaterThanOrEqual(count), LIMIT);
      return sent();
    },
    /** Presses a button, and waits until it is acknowledged. @returns what was sent before that, and the notice */
    async pressed(userId: number, data: string): Promise<{ sent: TakenCall[]; notice: string }> {
      const before = peer.taken.length;
      peer.presses(userId, data);
      const since = () => peer.taken.slice(before);
      const isAcknowledged = () => since().some(({ method }) => method === 'answerCallbackQuery');
      await vi.waitFor(() => expect(isAcknowledged()).toBe(true), LIMIT);
      const notice = since().find(({ method }) => method === 'answerCallbackQuery')?.text ?? '';
      return { sent: since().filter(({ method }) => method !== 'answerCallbackQuery'), notice };
    },
    async close(): Promise<void> {
      await panel.close();
      await peer.close();
    },
  };
}
export type BotPanel = Awaited<ReturnType<typeof openBotPanel>>;
