import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { guarded } from './guarded.ts';

const ran: unknown[] = [];
const call = guarded('connections.use', z.string().max(5), (id) => {
  ran.push(id);
  return id.length;
});
const from = (url: string | null) => ({ senderFrame: url === null ? null : { url } });

describe('a call of the bridge', () => {
  it('runs for our own page with valid arguments', async () => {
    expect(await call(from('app://panel/panel'), 'local')).toBe(5);
  });
  it.each([null, '', 'about:blank', 'https://panel/', 'app://panel.evil.example/', 'data:text/html,x'])(
    'is refused to a frame from %s, before its argument is looked at',
    async (url) => {
      ran.length = 0;
      await expect(call(from(url), 'local')).rejects.toThrow('refused connections.use');
      expect(ran).toEqual([]);
    },
  );
  it.each([undefined, null, 5, { toString: () => 'local' }, ['local'], 'longer'])(
    'is not done with %j',
    async (input) => {
      ran.length = 0;
      await expect(call(from('app://panel/'), input)).rejects.toThrow('something else than it takes');
      expect(ran).toEqual([]);
    },
  );
});
