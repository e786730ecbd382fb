import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { CallError } from '../../../api/transport.ts';
import { renderPage } from '../../../testing/render-page.tsx';
import { BotState } from './bot-state.tsx';

const RUNNING = {
  state: 'running',
  mode: 'polling',
  username: 'panel_bot',
  sinceMs: 1_700_000_000_000,
  lastAnswerAtMs: 1_700_000_000_000,
  problem: null,
  retryAtMs: 0,
};

it('shows the bot’s name, and which chats a test reached', async () => {
  await renderPage(<BotState />, {
    'GET /panel/api/setting/botState': RUNNING,
    'POST /panel/api/setting/testTgBot': { chats: ['11', '-1007'] },
  });
  expect(await screen.findByText('Running')).toBeTruthy();
  expect(screen.getByText('@panel_bot')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Send a test message' }));
  expect(await screen.findByText('The test message reached: 11, -1007')).toBeTruthy();
});

it('shows the error and the next attempt, and the stage at which a test stopped', async () => {
  const problem = { code: 'bot.conflict', params: { reason: 'terminated' }, text: 'Another program: terminated.' };
  await renderPage(<BotState />, {
    'GET /panel/api/setting/botState': { ...RUNNING, state: 'waiting', problem, retryAtMs: 1_700_000_010_000 },
    'POST /panel/api/setting/testTgBot': new CallError(
      'refused',
      'The API server refuses the token: Unauthorized',
      'bot.tokenRefused',
    ),
  });
  expect(await screen.findByText('Not working')).toBeTruthy();
  expect(screen.getByText('Another program: terminated.')).toBeTruthy();
  expect(screen.getByText(/^Next attempt:/)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Send a test message' }));
  expect(await screen.findByText('Stopped at: token')).toBeTruthy();
  expect(screen.getByText('The API server refuses the token: Unauthorized')).toBeTruthy();
});

it('offers the test before the bot is switched on, and no backup', async () => {
  await renderPage(<BotState />, { 'GET /panel/api/setting/botState': { ...RUNNING, state: 'off', username: '' } });
  expect(await screen.findByText('Off')).toBeTruthy();
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Send a test message']);
});
