import { once } from 'node:events';
import { createServer, get, type Server } from 'node:http';
import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { JsonObject } from '../config/source.ts';
import { openBench, type Bench } from '../../testing/core/core-bench.ts';
import { freePort } from '../../testing/free-port.ts';
import { listening, portOf } from '../../testing/peers/local-server.ts';

const servers: Server[] = [];
let bench: Bench | null = null;
afterEach(async () => {
  await bench?.end();
  bench = null;
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
});

/** A site that tells its name; `/stream` sends a tick whenever it is told to. */
async function site(name: string): Promise<{ address: string; tick: () => void }> {
  const streams: ((text: string) => void)[] = [];
  const server = createServer((request, response) => {
    response.writeHead(200);
    if (request.url !== '/stream') response.end(name);
    else {
      response.flushHeaders();
      streams.push((text) => void response.write(text));
    }
  });
  await listening(server);
  servers.push(server);
  const port = portOf(server);
  return { address: `127.0.0.1:${port}`, tick: () => streams.forEach((write) => write('tick')) };
}

/** Sends a request through an http inbound of the core and reads the whole response. */
async function fetchThrough(port: number): Promise<string> {
  const response = await open(port, '/');
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return text;
}

async function open(port: number, path: string) {
  const sent = get({
    host: '127.0.0.1',
    port,
    path: `http://198.51.100.7${path}`,
    headers: { Host: '198.51.100.7' },
    createConnection: () => connect(port, '127.0.0.1'),
  });
  const [response] = (await once(sent, 'response')) as [NodeJS.ReadableStream];
  return response;
}

test('traffic goes where the override says, over live changes and restarts; a running transfer is not touched', async () => {
  const [one, two] = [await site('one'), await site('two')];
  const door = await freePort();
  const way = (tag: string, redirect: string): JsonObject => ({
    tag,
    protocol: 'freedom',
    settings: { redirect, finalRules: [{ action: 'allow' }] },
  });
  const routing = (...more: JsonObject[]): JsonObject => ({
    balancers: [{ tag: 'pool', selector: ['way-'], strategy: { type: 'roundRobin' }, fallbackTag: 'blocked' }],
    rules: [...more, { type: 'field', inboundTag: ['door'], balancerTag: 'pool' }],
  });
  const b = openBench({});
  bench = b;
  b.wanted.template = {
    ...b.wanted.template,
    inbounds: [
      ...(Array.isArray(b.wanted.template['inbounds']) ? b.wanted.template['inbounds'] : []),
      { tag: 'door', listen: '127.0.0.1', port: door, protocol: 'http', settings: {} },
    ],
    outbounds: [{ tag: 'blocked', protocol: 'blackhole' }, way('way-1', one.address), way('way-2', two.address)],
    routing: routing(),
  };
  await b.core.boot();
  const fetchSites = async (times = 3) => Promise.all(Array.from({ length: times }, () => fetchThrough(door)));
  expect(new Set(await fetchSites(4))).toEqual(new Set(['one', 'two']));

  expect(await b.core.overrideBalancer('pool', 'way-1')).toBe(true);
  expect(await fetchSites()).toEqual(['one', 'one', 'one']);
  const stream = await open(door, '/stream');
  const next = async () => {
    const chunk = once(stream, 'data');
    one.tick();
    return String((await chunk)[0]);
  };
  expect(await next()).toBe('tick');

  // Rules and an outbound after the first change live: same process, same transfer, same override.
  const { pid } = b.core.status();
  b.wanted.template = {
    ...b.wanted.template,
    outbounds: [
      { tag: 'blocked', protocol: 'blackhole' },
      { ...way('way-1', one.address), sendThrough: '127.0.0.1' },
      way('way-2', two.address),
    ],
    routing: routing({ type: 'field', domain: ['full:never.test'], outboundTag: 'blocked' }),
  };
  expect(await b.core.plan(b.wanted.template)).toEqual({
    kind: 'live',
    reason: '',
    changes: [
      { part: 'outbound', name: 'way-1', action: 'changed' },
      { part: 'routing', name: '', action: 'changed' },
    ],
  });
  expect(await b.core.apply({ everything: true })).toEqual({ kind: 'live' });
  expect(b.core.status().pid).toBe(pid);
  expect(await next()).toBe('tick');
  expect(await fetchSites()).toEqual(['one', 'one', 'one']);
  expect(await b.core.api()?.balancer('pool')).toMatchObject({ override: 'way-1' });

  await b.core.restart('test');
  expect(await b.core.api()?.balancer('pool')).toMatchObject({ override: '' });
  expect(b.core.clearedOverride('pool')).toBe('way-1');
  expect(new Set(await fetchSites(4))).toEqual(new Set(['one', 'two']));
  await b.core.overrideBalancer('pool', 'way-2');
  expect(b.core.clearedOverride('pool')).toBe('');
  expect(await fetchSites()).toEqual(['two', 'two', 'two']);
  await b.core.overrideBalancer('pool', '');
  expect(new Set(await fetchSites(4))).toEqual(new Set(['one', 'two']));
});
