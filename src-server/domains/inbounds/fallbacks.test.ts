import { beforeEach, describe, expect, it } from 'vitest';
import type { ValidationIssue } from '../../contract/envelope.ts';
import type { InboundSource } from '../../core/config/source.ts';
import { forEachTest } from '../../testing/for-each-test.ts';
import { REALITY_STREAM, startInboundPanel, vlessBody } from '../../testing/panels/inbound-panel.ts';
import type { Fallback } from './contract.ts';

const panel = forEachTest(startInboundPanel);
beforeEach(async () => {
  await panel.added(vlessBody(443));
  await panel.added(vlessBody(8081, { listen: '127.0.0.1' }));
});

const replace = (fallbacks: unknown) => panel.post('/1/fallbacks', { fallbacks });

describe('fallbacks', () => {
  it('are replaced as a whole, cleaned and ordered', async () => {
    await replace([{ dest: '9000' }]);
    panel.runtime.applied.length = 0;
    const response = await replace([
      { childId: 2, path: '/vlws', xver: 2, sortOrder: 5 },
      { childId: 1, name: 'self' },
      { childId: -4, dest: ' 8443 ', alpn: 'h2' },
      { childId: 1, dest: '127.0.0.1:80' },
      {},
    ]);
    expect(response).toEqual({ success: true, msg: 'Inbound has been successfully updated.', obj: null });
    const rules = (await panel.get('/1/fallbacks')).obj as Fallback[];
    expect(rules.map((rule) => ({ ...rule, id: 0 }))).toEqual([
      { id: 0, masterId: 1, childId: 0, name: '', alpn: 'h2', path: '', dest: '8443', xver: 0, sortOrder: 2 },
      { id: 0, masterId: 1, childId: 0, name: '', alpn: '', path: '', dest: '127.0.0.1:80', xver: 0, sortOrder: 3 },
      { id: 0, masterId: 1, childId: 2, name: '', alpn: '', path: '/vlws', dest: '', xver: 2, sortOrder: 5 },
    ]);
    expect(panel.runtime.applied).toEqual([{ inboundIds: [1] }]);
    expect((await panel.get('/get/2')).obj).toMatchObject({ fallbackParent: { masterId: 1, path: '/vlws' } });
    expect((await panel.get('/get/1')).obj).toMatchObject({ fallbackParent: null });
    await replace([]);
    expect((await panel.get('/1/fallbacks')).obj).toEqual([]);
  });

  it('belong to a master that exists', async () => {
    expect((await panel.post('/9/fallbacks', { fallbacks: [] })).msg).toBe('record not found');
    expect((await panel.get('/9/fallbacks')).msg).toBe('record not found');
  });

  it('are refused with every reason, and stay unchanged', async () => {
    await replace([{ dest: '9000' }]);
    const before = (await panel.get('/1/fallbacks')).obj;
    const refused = await replace([{ childId: 77 }, { dest: 'example.com', path: 'ws' }, { dest: '70000' }]);
    expect((refused.obj as { issues: ValidationIssue[] }).issues.map(({ field }) => field)).toEqual([
      'fallbacks[0].childId',
      'fallbacks[1].path',
      'fallbacks[1].dest',
      'fallbacks[2].dest',
    ]);
    for (const rule of [{ xver: 3 }, { xver: '1' }, { childId: 'x' }, { path: 'x'.repeat(2000) }, 5, null])
      expect((await replace([rule])).success).toBe(false);
    expect((await replace(null)).success).toBe(false);
    expect((await panel.get('/1/fallbacks')).obj).toEqual(before);
  });

  it('of a master that can host them are first tested by the core', async () => {
    await panel.post('/update/1', vlessBody(443, { streamSettings: REALITY_STREAM }));
    const tested: InboundSource[] = [];
    panel.runtime.testInbound = async (source) => {
      tested.push(source);
      return { ok: tested.length > 1, text: 'bad dest' };
    };
    expect((await replace([{ childId: 2, path: '/a' }])).msg).toBe('the core refuses this inbound: bad dest');
    expect((await panel.get('/1/fallbacks')).obj).toEqual([]);
    await replace([{ childId: 2, path: '/a' }]);
    const child = { listen: '127.0.0.1', port: 8081 };
    expect(tested[1]?.fallbacks).toEqual([{ name: '', alpn: '', path: '/a', dest: '', xver: 0, child }]);
    // A later save of the master is tested with its rules too.
    await panel.post('/update/1', vlessBody(443, { streamSettings: REALITY_STREAM, remark: 'x' }));
    expect(tested[2]?.fallbacks).toEqual(tested[1]?.fallbacks);
  });
});
