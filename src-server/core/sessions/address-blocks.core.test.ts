import { afterEach, expect, test } from 'vitest';
import type { Bench } from '../../testing/core/core-bench.ts';
import { client, inbound, openBench } from '../../testing/core/core-bench.ts';
import { freePort } from '../../testing/free-port.ts';

let b: Bench;
afterEach(() => b.end());

const ruleTags = async (): Promise<string[]> => (await b.core.api()?.ruleTags()) ?? [];

test('blocks are exactly the requested ones, whatever happens to the core and its routing', async () => {
  b = openBench();
  b.wanted.inbounds.push(inbound(await freePort(), { id: 1, clients: [client('a@x')] }));
  const block = { email: 'a@x', address: '192.0.2.1' };
  expect(await b.core.blockAddresses([block])).toBe(false);
  await b.core.boot();
  const { pid } = b.core.status();
  const six = { email: 'regexp:.*', address: '2001:db8::1' };
  expect(await b.core.blockAddresses([block, six])).toBe(true);
  const both = await ruleTags();
  expect(both).toHaveLength(2);
  expect(await b.core.blockAddresses([block, six])).toBe(true);
  expect(await ruleTags()).toEqual(both);

  // The e-mail that looks like a pattern is taken literally: everyone else still gets through.
  const query = { inboundTag: 'in-1', network: 'tcp' as const, domain: 'a.test', ip: null, port: 443, protocol: '' };
  expect(await b.core.api()?.testRoute({ ...query, user: 'b@x' })).toBe(null);

  // A routing change replaces all rules; otherwise nothing changes, and the next call restores the blocks.
  b.wanted.template = { ...b.wanted.template, routing: { rules: [] } };
  expect(await b.core.apply({ everything: true })).toEqual({ kind: 'live' });
  expect(await ruleTags()).toEqual([]);
  await b.core.blockAddresses([block]);
  expect(await ruleTags()).toHaveLength(1);
  await b.core.restart('test');
  expect(b.core.status().pid).not.toBe(pid);
  await b.core.blockAddresses([block]);
  expect(await ruleTags()).toHaveLength(1);
  await b.core.blockAddresses([]);
  expect(await ruleTags()).toEqual([]);
  // None of this shows up as a change of the config.
  expect(await b.core.apply({ everything: true })).toEqual({ kind: 'unchanged' });
  expect((await b.core.readCounters())?.outbounds.names).not.toContain('panel-ip-limit');
});

test('an inbound is replaced with its users; everything beside it stays', async () => {
  b = openBench();
  const [one, two] = [await freePort(), await freePort()];
  b.wanted.inbounds.push(
    inbound(one, { id: 1, clients: [client('a@x')] }),
    inbound(two, { id: 2, clients: [client('b@x')] }),
  );
  expect(await b.core.replaceInbounds([1])).toBe('notRunning');
  expect(await b.core.hasConnections(['a@x'])).toBe(null);
  await b.core.boot();
  expect(await b.core.hasConnections(['a@x', 'nobody'])).toBe(false);
  const { pid } = b.core.status();
  expect(await b.core.replaceInbounds([1, 1, 99])).toBe('replaced');
  expect(await b.core.api()?.hasUser('in-1', 'a@x')).toBe(true);
  expect(await b.core.api()?.hasUser('in-2', 'b@x')).toBe(true);
  expect(b.core.status().pid).toBe(pid);
  // The snapshot still matches what runs.
  b.wanted.inbounds[0] = { ...b.wanted.inbounds[0]!, clients: [client('a@x'), client('c@x')] };
  expect(await b.core.apply({ users: [{ inboundId: 1, emails: ['c@x'] }] })).toEqual({ kind: 'live' });
  expect(await b.core.api()?.hasUser('in-1', 'c@x')).toBe(true);
  expect(await b.core.apply({ everything: true })).toEqual({ kind: 'unchanged' });
});
