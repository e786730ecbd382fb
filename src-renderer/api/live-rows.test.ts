import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import type { ClientPage } from '#contract/clients/list';
import { keys } from './keys.ts';
import { NODE_SPEEDS, patchCounters, patchTraffic } from './live-rows.ts';

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
    patchCounters(cache, { clients: [{ email: 'alice', enable: false, up: 4, down: 5 }] });
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
    patchCounters(cache, { clients: [{ email: 'carol', enable: true, up: 1, down: 1 }] });
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
