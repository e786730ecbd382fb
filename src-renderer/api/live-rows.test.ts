import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import type { ClientPage } from '#contract/clients/list';
import { keys } from './keys.ts';
import { NODE_SPEEDS, patchCounters, patchOutbounds, patchTraffic } from './live-rows.ts';

const row = (email: string) => ({ email, enable: true, traffic: { up: 0, down: 0, enable: true } });
const pageKey = [...keys.clients, 'page', { page: 1 }];

function cacheWithPage(...emails: string[]): QueryClient {
  const cache = new QueryClient();
  cache.setQueryData(pageKey, { items: emails.map(row), summary: { online: ['bob'], onlineCount: 1 } });
  return cache;
}

describe('live counters', () => {
  it('reach the rows shown, in their order, and leave the others alone', () => {
    const cache = cacheWithPage('bob', 'alice');
    const before = cache.getQueryData<ClientPage>(pageKey)!;
    patchCounters(cache, { clients: [{ email: 'alice', enable: false, up: 4, down: 5, lastOnline: 0 }] });
    const after = cache.getQueryData<ClientPage>(pageKey)!;
    expect(after.items.map(({ email, enable, traffic }) => [email, enable, traffic.up, traffic.down])).toEqual([
      ['bob', true, 0, 0],
      ['alice', false, 4, 5],
    ]);
    expect(after.items[0]).toBe(before.items[0]);
  });

  it('do not touch a page on which no client moved bytes', () => {
    const cache = cacheWithPage('bob');
    const before = cache.getQueryData(pageKey);
    patchCounters(cache, { clients: [{ email: 'carol', enable: true, up: 1, down: 1, lastOnline: 0 }] });
    expect(cache.getQueryData(pageKey)).toBe(before);
  });

  it('reach lists of inbounds, not the choices of a form', () => {
    const cache = new QueryClient();
    cache.setQueryData([...keys.inbounds], [{ id: 1, remark: 'a', up: 0, down: 0, enable: true }]);
    cache.setQueryData([...keys.inbounds, 'options'], [{ id: 1, remark: 'a' }]);
    patchCounters(cache, { inbounds: [{ id: 1, up: 7, down: 8, enable: true }] });
    expect(cache.getQueryData([...keys.inbounds])).toEqual([{ id: 1, remark: 'a', up: 7, down: 8, enable: true }]);
    expect(cache.getQueryData([...keys.inbounds, 'options'])).toEqual([{ id: 1, remark: 'a' }]);
  });

  it('reach the drawer of a client, and that of an inbound', () => {
    const cache = new QueryClient();
    const one = [...keys.clients, 'one', 'bob'];
    const counters = [...keys.clients, 'traffic', 'bob'];
    const drawer = [...keys.inbounds, 'one', 1];
    cache.setQueryData(one, { client: { email: 'bob' }, usedTraffic: 3 });
    cache.setQueryData([...keys.clients, 'traffic', 'gone'], null);
    cache.setQueryData(counters, { email: 'bob', up: 1, down: 2, enable: true, lastOnline: 0 });
    cache.setQueryData(drawer, { id: 1, remark: 'a', up: 0, down: 0, enable: true });
    patchCounters(cache, {
      clients: [{ email: 'bob', enable: true, up: 4, down: 5, lastOnline: 9_000 }],
      inbounds: [{ id: 1, up: 7, down: 8, enable: true }],
    });
    expect(cache.getQueryData(one)).toEqual({ client: { email: 'bob' }, usedTraffic: 9 });
    expect(cache.getQueryData(counters)).toEqual({ email: 'bob', up: 4, down: 5, enable: true, lastOnline: 9_000 });
    expect(cache.getQueryData(drawer)).toEqual({ id: 1, remark: 'a', up: 7, down: 8, enable: true });
  });

  it('do not make fresh what is stale: they are only a part of it', async () => {
    const cache = cacheWithPage('bob');
    const inboundKey = [...keys.inbounds, 'counted'];
    cache.setQueryData(inboundKey, [{ id: 1, remark: 'a', up: 0, down: 0, enable: true }], { updatedAt: 1_000 });
    await cache.invalidateQueries({ queryKey: keys.clients });
    patchCounters(cache, {
      clients: [{ email: 'bob', enable: true, up: 4, down: 5, lastOnline: 0 }],
      inbounds: [{ id: 1, up: 7, down: 8, enable: true }],
    });
    patchTraffic(cache, { onlineClients: ['alice'] });
    expect(cache.getQueryData<ClientPage>(pageKey)?.items[0]?.traffic.up).toBe(4);
    expect(cache.getQueryState(pageKey)?.isInvalidated).toBe(true);
    expect(cache.getQueryState(inboundKey)?.dataUpdatedAt).toBe(1_000);
  });

  it('of outbounds reach those that moved, and leave the others', () => {
    const cache = new QueryClient();
    const key = [...keys.outbounds, 'traffic'];
    const moved = (up: number) => [{ id: 2, tag: 'direct', up, down: 0, total: up }];
    patchOutbounds(cache, moved(1));
    // Nothing was read yet: the others are not known.
    expect(cache.getQueryData(key)).toBeUndefined();
    cache.setQueryData(key, [{ id: 1, tag: 'blocked', up: 5, down: 0, total: 5 }]);
    patchOutbounds(cache, moved(2));
    expect(cache.getQueryData(key)).toEqual([{ id: 1, tag: 'blocked', up: 5, down: 0, total: 5 }, ...moved(2)]);
    patchOutbounds(cache, moved(3));
    expect(cache.getQueryData(key)).toEqual([{ id: 1, tag: 'blocked', up: 5, down: 0, total: 5 }, ...moved(3)]);
  });

  it('say who is online, and change nothing when that is already known', () => {
    const cache = cacheWithPage('bob');
    const before = cache.getQueryData(pageKey);
    patchTraffic(cache, { onlineClients: ['bob'] });
    expect(cache.getQueryData(pageKey)).toBe(before);
    patchTraffic(cache, { onlineClients: ['alice'], nodeTraffics: [{ tag: 'n1-a', up: 5, down: 10 }] });
    patchTraffic(cache, { onlineClients: ['alice'], nodeTraffics: null });
    expect(cache.getQueryData(NODE_SPEEDS)).toEqual([{ tag: 'n1-a', up: 5, down: 10 }]);
    expect(cache.getQueryData<ClientPage>(pageKey)?.summary).toMatchObject({ online: ['alice'], onlineCount: 1 });
  });
});
