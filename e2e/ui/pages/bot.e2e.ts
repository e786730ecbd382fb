import { afterAll, beforeAll, expect, it } from 'vitest';
import { BOT_TOKEN, startBotApiPeer, type BotApiPeer } from '../../../src-server/testing/bot-api/bot-api-peer.ts';
import { expectAccessibleInBothThemes } from '../both-themes.ts';
import { startJourney, type Journey } from '../journey.ts';
import { addVlessInbound } from '../../harness/vless-inbound.ts';

const ADMIN_CHAT = 11;

let peer: BotApiPeer;
let journey: Journey;
beforeAll(async () => {
  [peer, journey] = await Promise.all([startBotApiPeer(), startJourney()]);
  peer.knows(ADMIN_CHAT);
});
afterAll(async () => {
  await journey?.close();
  await peer?.close();
});

const text = (name: string) => journey.page.getByLabel(name, { exact: true });

it('a bot is set up, shows what is wrong, and works once that is fixed', async () => {
  const { page, panel } = journey;
  await page.goto(`${panel.url}panel/settings/bot`);
  await page.getByText('Off', { exact: true }).first().waitFor();
  await page.getByRole('switch', { name: 'Messaging bot' }).click();
  await text('Bot token').fill('1:wrong');
  await text('Chat ids').fill(String(ADMIN_CHAT));
  await text('Server of the bot API').fill(peer.origin);
  await page.getByRole('switch', { name: 'API server in a private network' }).click();
  await page.keyboard.press('Control+s');
  await page.getByText(/The API server refuses the token: Unauthorized/).waitFor();
  await page.getByRole('button', { name: 'Send a test message' }).click();
  await page.getByText('Stopped at: token').waitFor();
  await expectAccessibleInBothThemes(page);

  await text('Bot token').fill(BOT_TOKEN);
  await page.getByText('The test uses the saved settings: save your changes first.').waitFor();
  await page.keyboard.press('Control+s');
  await page.getByText('Running', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Send a test message' }).click();
  await page.getByText(`The test message reached: ${ADMIN_CHAT}`).waitFor();
  await page.getByRole('button', { name: 'Send a backup now' }).click();
  await page.getByText(`The backup reached: ${ADMIN_CHAT}`).waitFor();
  expect(peer.taken.map(({ method }) => method)).toEqual(['sendMessage', 'sendDocument', 'sendDocument']);
});

it('a client is linked from its editor, and gets its links from the bot', async () => {
  const { page, panel } = journey;
  const inbound = await addVlessInbound(panel.api, { port: 24_461 });
  await panel.api.post('/panel/api/clients/add', { client: { email: 'anna' }, inboundIds: [inbound.id] });
  await page.goto(`${panel.url}panel/clients?edit=anna`);
  await page.getByRole('button', { name: 'Credentials and protocol' }).click();
  await page.getByRole('button', { name: 'Make a link for the messenger' }).click();
  const link = new URL(await text('Link that ties a chat').inputValue());
  const before = peer.taken.length;
  peer.writes(42, `/start ${link.searchParams.get('start')}`);
  await expect.poll(() => peer.taken.length - before, { timeout: 10_000 }).toBe(2);
  const card = peer.taken.at(-1)!;
  expect(card.text).toContain('anna');
  peer.presses(
    42,
    card.buttons.find((data) => data.startsWith('links:'))!,
  );
  await expect.poll(() => peer.taken.at(-1)?.method, { timeout: 10_000 }).toBe('answerCallbackQuery');
  expect(peer.taken.at(-2)?.text).toContain('vless://');
  expect(journey.faults).toEqual([]);
});
