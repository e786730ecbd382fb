import { expect, test } from 'vitest';
import * as z from 'zod';
import { endpoint } from '../../contract/endpoint.ts';
import { send } from '../../testing/peers/test-browser.ts';
import { openTestPanel } from '../../testing/panels/test-panel.ts';
import { bind } from '../bind.ts';
import type { InFlightLimits } from './in-flight.ts';

const hold = endpoint('GET', '/panel/api/test/hold', { summary: '', result: z.null() });

const holdPost = endpoint('POST', '/hold', { access: 'public', summary: '', result: z.null() });

/** A panel whose two endpoints hold their requests until `release`. */
async function openHolding(inFlight: InFlightLimits) {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  let entered = 0;
  let onEntered = (): void => {};
  const held = async () => {
    entered++;
    onEntered();
    await released;
    return null;
  };
  const panel = await openTestPanel({
    server: { limits: { inFlight } },
    mount: [
      (context) => {
        bind(context, hold, held);
        bind(context, holdPost, held);
      },
    ],
  });
  const visitor = panel.browser();
  const csrf = await visitor.fetchCsrf();
  const bearer = { authorization: `Bearer ${await panel.token()}` };
  return {
    panel,
    release,
    get: () => send(`${panel.listening.url}panel/api/test/hold`, { headers: bearer }),
    post: (address: string) =>
      send(`${panel.listening.url}hold`, {
        method: 'POST',
        headers: { cookie: visitor.cookieHeader(), 'x-csrf-token': csrf, 'x-forwarded-for': address },
      }),
    landing: () => send(panel.listening.url),
    /** Resolves when this many requests are held. */
    holds: (count: number) =>
      new Promise<void>((resolve) => {
        onEntered = () => entered >= count && resolve();
        onEntered();
      }),
  };
}

test('requests beyond the limit are told to retry, and are served again afterwards', async () => {
  const { panel, release, get, landing, holds } = await openHolding({
    all: 2,
    visitorPosts: 9,
    visitorPostsPerAddress: 9,
  });
  const first = [get(), get()];
  await holds(2);
  const refused = await landing();
  expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
  expect(refused.json).toMatchObject({
    success: false,
    msg: 'The panel is answering too many requests at once. Try again in a moment.',
    obj: null,
  });
  release();
  expect((await Promise.all(first)).map(({ status }) => status)).toEqual([200, 200]);
  expect((await landing()).status).toBe(200);
  await panel.close();
});

test('a flood of strangers fills only their own share, and one address only part of it', async () => {
  const { panel, release, get, post, landing, holds } = await openHolding({
    all: 99,
    visitorPosts: 3,
    visitorPostsPerAddress: 2,
  });
  const first = [post('203.0.113.1'), post('203.0.113.1')];
  await holds(2);
  expect((await post('203.0.113.1')).status).toBe(503);
  first.push(post('203.0.113.2'));
  await holds(3);
  expect((await post('203.0.113.3')).status).toBe(503);
  expect((await landing()).status).toBe(200);
  first.push(get());
  await holds(4);
  release();
  expect((await Promise.all(first)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect((await post('203.0.113.1')).status).toBe(200);
  await panel.close();
});

test('the web interface serves paths outside the API, and signed-in browsers are redirected from the sign-in page', async () => {
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
