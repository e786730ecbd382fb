import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BotState } from '../src-server/domains/bot/contract.ts';
import { BOT_TOKEN, startBotApiPeer, type BotApiPeer } from '../src-server/testing/bot-api/bot-api-peer.ts';
import { disposePanel, newDataDir, startPanel, type PanelProcess } from './harness/panel-process.ts';
import { waitFor } from './harness/wait-for.ts';

const ADMIN_CHAT = 11;

let peer: BotApiPeer;
let panel: PanelProcess;
beforeAll(async () => {
  peer = await startBotApiPeer();
  peer.knows(ADMIN_CHAT);
  panel = await startPanel({ dataDir: await newDataDir() });
});
afterAll(async () => {
  if (panel !== undefined) await disposePanel(panel);
  await peer?.close();
});

const state = () => panel.api.get<BotState>('/panel/api/setting/botState');
const isRunning = async (): Promise<boolean> => (await state()).state === 'running';
const replies = (): string[] => peer.taken.map(({ text }) => text);

test('after a kill one panel polls again, and answers nothing twice', async () => {
  await panel.api.post('/panel/api/setting/update', {
    tgBotEnable: true,
    tgBotToken: BOT_TOKEN,
    tgBotAPIServer: peer.origin,
    tgBotAllowPrivate: true,
    tgBotChatId: String(ADMIN_CHAT),
  });
  await waitFor('the bot', isRunning);
  const update = peer.written(ADMIN_CHAT, '/id');
  peer.repeat(update, 900);
  await waitFor('an answer', () => replies().length === 1);
  const { polls } = peer.counts;
  process.kill(panel.ready.pid, 'SIGKILL');
  // The launcher starts the next one.
  await waitFor('a poll of the next panel', () => peer.counts.polls > polls + 1);
  peer.repeat(update, 900);
  peer.repeat(peer.written(ADMIN_CHAT, '/status'), 901);
  await waitFor('the next answer', () => replies().length === 2);
  expect(replies()).toEqual([`🆔 Your ID: ${ADMIN_CHAT}`, '✅ The bot is working.']);
  expect(peer.counts.conflicts).toBe(0);
});
