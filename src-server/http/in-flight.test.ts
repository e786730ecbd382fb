import { expect, test } from 'vitest';
import * as z from 'zod';
import { endpoint } from '../contract/endpoint.ts';
import { send } from '../testing/test-browser.ts';
import { openTestPanel } from '../testing/test-panel.ts';
import { bind } from './bind.ts';

const hold = endpoint({ method: 'GET', path: '/panel/api/test/hold', summary: '', result: z.null() });

test('beyond the limit requests are told to come back, and are served again afterwards', async () => {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  let entered = 0;
  let allIn = (): void => {};
  const bothIn = new Promise<void>((resolve) => (allIn = resolve));
  const panel = await openTestPanel({
    server: { limits: { inFlight: 2 } },
    mount: [
      (context) =>
        bind(context, hold, async () => {
          if (++entered === 2) allIn();
          await held;
          return null;
        }),
    ],
  });
  const headers = { authorization: `Bearer ${await panel.token()}` };
  const url = `${panel.listening.url}panel/api/test/hold`;
  const first = [send(url, { headers }), send(url, { headers })];
  await bothIn;
  const refused = await send(panel.listening.url);
  expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
  expect(refused.json).toEqual({
    success: false,
    msg: 'The panel is answering too many requests at once. Try again in a moment.',
    obj: null,
  });
  release();
  expect((await Promise.all(first)).map(({ status }) => status)).toEqual([200, 200]);
  expect((await send(panel.listening.url)).status).toBe(200);
  await panel.close();
});

test('texts follow the lang cookie, then Accept-Language, then English', async () => {
  const panel = await openTestPanel({
    server: {
      languages: ['fa', 'zh-CN'],
      translate: (language, key) => `${language}:${key}`,
    },
  });
  const ask = async (headers: Record<string, string>) =>
    (await send(`${panel.listening.url}panel/x`, { headers: { 'x-requested-with': 'XMLHttpRequest', ...headers } }))
      .json?.msg;
  expect(await ask({})).toBe('en:request.sessionExpired');
  expect(await ask({ 'accept-language': 'xx, fa;q=0.5' })).toBe('fa:request.sessionExpired');
  expect(await ask({ 'accept-language': 'fa', cookie: 'lang=zh-CN' })).toBe('zh-CN:request.sessionExpired');
  expect(await ask({ 'accept-language': 'fa-IR' })).toBe('fa:request.sessionExpired');
  expect(await ask({ cookie: 'lang=en-US', 'accept-language': 'fa' })).toBe('en:request.sessionExpired');
  expect(await ask({ cookie: 'lang=<script>' })).toBe('en:request.sessionExpired');
  await panel.close();
});

test('the web interface gets what the API does not answer, and signed-in browsers are sent on from the sign-in page', async () => {
  const panel = await openTestPanel({
    server: {
      pages: async (koa) => {
        koa.body = `page ${koa.path}`;
      },
    },
  });
  const { url } = panel.listening;
  expect((await send(url)).text).toBe('page /');
  expect((await send(`${url}panel/api/x`)).status).toBe(404);
  expect((await send(`${url}panel/`)).status).toBe(307);
  const browser = await panel.signedIn();
  expect(await browser.get('')).toMatchObject({
    status: 307,
    headers: { location: '/panel/', 'cache-control': 'no-store' },
  });
  expect((await browser.get('panel/')).text).toBe('page /panel/');
  await panel.close();
});
