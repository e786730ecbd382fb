import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import type { Link } from './link.ts';
import type { ConnectionStore } from './store.ts';
import { createSwitchboard } from './switchboard.ts';
import { SavedConnection } from './connection.ts';

let server: Server | null = null;
afterEach(() => void server?.close());

/** A remote panel that gives this response to every call. */
async function panelWith(status: number, body: string, headers: Record<string, string> = {}): Promise<string> {
  server = createServer((request, response) => {
    request.resume();
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

function open(address: string, signIn: 'session' | 'token' = 'session') {
  const saved = SavedConnection.parse({
    id: 'far',
    name: 'Far',
    color: 'red',
    address,
    signIn,
    trust: { mode: 'verify' },
    lastUsedAtMs: 0,
  });
  const seen: string[] = [];
  const closed: string[] = [];
  const local: Link = {
    isSession: false,
    forward: async () => ({ status: 200, headers: {}, body: Buffer.from('{"obj":{"panelVersion":"1.0"}}') }),
    openStream: async () => null,
    address: async () => 'http://127.0.0.1/',
    renew: () => undefined,
    close: () => closed.push('local'),
  };
  const store = {
    list: () => [saved],
    find: (id: string) => (id === 'far' ? saved : undefined),
    secrets: async () => ({}),
    markUsed: async (id: string) => void seen.push(`used ${id}`),
    storeCookies: async (_id: string, cookies: Record<string, string>) => void seen.push(Object.keys(cookies).join()),
  } as unknown as ConnectionStore;
  const board = createSwitchboard({
    store,
    local,
    clock: () => 0,
    onChange: (_link, id) => seen.push(`now ${id}`),
    onStored: () => undefined,
    onSession: () => seen.push('session'),
  });
  return { board, seen, closed };
}
const call = { method: 'GET', path: '/csrf-token', headers: {}, body: null };

it('switches, remembers, and marks which one is current', async () => {
  const { board, seen } = open(await panelWith(200, '{}'));
  expect(board.views('Here', '').map(({ id, isCurrent }) => [id, isCurrent])).toEqual([
    ['local', true],
    ['far', false],
  ]);
  await board.use('far');
  expect(board.currentId).toBe('far');
  expect(seen).toEqual(['now far', 'used far']);
  await expect(board.use('unknown')).rejects.toThrow('not known any more');
  expect(board.currentId).toBe('far');
  board.close();
});

it('a change that the page of another panel sent in its last instant reaches no panel', async () => {
  const { board } = open(await panelWith(200, '{"obj":"token of the far panel"}'), 'token');
  const tokenHere = async (): Promise<string> => {
    const { body } = await board.forward(call);
    const parts: Buffer[] = Buffer.isBuffer(body) ? [body] : await body.toArray();
    return (JSON.parse(Buffer.concat(parts).toString()) as { obj: string }).obj;
  };
  const before = await tokenHere();
  await board.use('far');
  const change = (token: string) =>
    board.forward({ ...call, method: 'POST', path: '/panel/api/x', headers: { 'x-csrf-token': token } });
  expect(await change(before)).toMatchObject({ status: 403 });
  expect(await change('')).toMatchObject({ status: 403 });
  expect(await change(await tokenHere())).toMatchObject({ status: 200 });
  // A call with an API token of its own would be refused by the panel itself.
  expect(await board.forward({ ...call, method: 'POST', headers: { authorization: 'Bearer x' } })).toMatchObject({
    status: 200,
  });
  board.close();
});

it('the call for the token tells whether the panel answers: the page finds that out by it', async () => {
  const { board } = open(await panelWith(200, '{}'), 'token');
  await board.use('far');
  expect(await board.forward(call)).toMatchObject({ status: 200 });
  server?.removeAllListeners('request').on('request', (_request, response) => response.writeHead(502).end());
  expect(await board.forward(call)).toMatchObject({ status: 502 });
  server?.close();
  server?.closeAllConnections();
  await expect(board.forward(call)).rejects.toMatchObject({ code: expect.stringMatching(/ECONN/) as string });
  board.close();
});

it('reports an admin’s sign-in, but not a visitor’s cookie', async () => {
  const { board, seen } = open(await panelWith(200, '{}', { 'set-cookie': 'panel_csrf=a; Path=/' }));
  await board.use('far');
  await board.current().forward(call);
  expect(seen.slice(2)).toEqual(['panel_csrf']);
  server?.removeAllListeners('request').on('request', (_request, response) => {
    response.writeHead(200, { 'set-cookie': 'panel_session=b; Path=/' }).end('{}');
  });
  await board.current().forward(call);
  expect(seen.slice(3)).toEqual(['panel_csrf,panel_session', 'session']);
  board.close();
});

it.each([
  [200, '{"obj":{"panelVersion":"2.1"}}', { state: 'ok', version: '2.1' }],
  [401, '', { state: 'refused', version: '' }],
  [200, '<html>', { state: 'wrong', version: '', detail: 'HTTP 200' }],
  [404, '{}', { state: 'wrong', version: '', detail: 'HTTP 404' }],
])('a panel that answers %i %s', async (status, body, reach) => {
  const { board, closed } = open(await panelWith(status, body));
  expect(await board.reach('far')).toEqual({ ms: 0, detail: '', ...reach });
  expect(await board.reach('local')).toMatchObject({ state: 'ok', version: '1.0' });
  expect(closed).toEqual([]);
});

it('a panel whose answer does not end is none', async () => {
  const body = '{"obj":{"panelVersion":"2.1"}}';
  const { board } = open(await panelWith(200, body + ' '.repeat(1024 * 1024)));
  expect(await board.reach('far')).toMatchObject({ state: 'wrong' });
});
