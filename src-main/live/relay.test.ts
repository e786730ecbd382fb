import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import type { Link } from '../connections/link.ts';
import { createRelay, type LiveState } from './relay.ts';

let server: WebSocketServer;
let relay: ReturnType<typeof createRelay>;
afterEach(() => {
  relay.close();
  for (const client of server.clients) client.terminate();
  server.close();
});

/** Follows a panel. @param isDead nothing comes back from it */
async function follow(isDead: () => boolean) {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1', autoPong: false });
  server.on('connection', (socket) => {
    const answers = !isDead();
    socket.on('ping', () => answers && socket.pong());
  });
  await once(server, 'listening');
  const states: LiveState[] = [];
  let renewed = 0;
  relay = createRelay({ message: () => undefined, state: (state) => states.push(state) }, 50);
  relay.follow({
    openStream: async () => new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/`),
    renew: () => (renewed += 1),
  } as Partial<Link> as Link);
  return { states, renewed: () => renewed };
}

it('gives up a stream over which nothing comes any more, and the other connections to that panel', async () => {
  let isDead = true;
  const { states, renewed } = await follow(() => isDead);
  await expect.poll(() => states).toEqual(['up']);
  isDead = false;
  await expect.poll(() => states).toEqual(['up', 'down', 'up']);
  expect(renewed()).toBe(1);
});

it('keeps one that is only quiet', async () => {
  const { states } = await follow(() => false);
  await expect.poll(() => states).toEqual(['up']);
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect(states).toEqual(['up']);
});
