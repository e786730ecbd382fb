import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../contract/json.ts';
import { forEachTest } from '../../../testing/for-each-test.ts';
import { startInboundPanel, vlessBody } from '../../../testing/panels/inbound-panel.ts';

const panel = forEachTest(startInboundPanel);

const withClients = (port: number, ...emails: string[]) =>
  vlessBody(port, {
    settings: { decryption: 'none', clients: emails.map((email) => ({ email, subId: `sub-${email}` })) },
  });

describe('POST /del/:id', () => {
  it('removes the row, its links and fallback rules, and its tag from the template', async () => {
    await panel.added(withClients(443, 'a'));
    await panel.added(vlessBody(444));
    await panel.added(vlessBody(445));
    await panel.post('/1/fallbacks', { fallbacks: [{ childId: 2 }, { dest: '8080' }] });
    await panel.post('/2/fallbacks', { fallbacks: [{ childId: 3 }] });
    const rules: JsonObject[] = [
      { inboundTag: ['in-444-tcp'], outboundTag: 'direct' },
      { inboundTag: ['in-444-tcp', 'in-443-tcp'], outboundTag: 'direct' },
    ];
    await panel.setTemplate({ routing: { rules } });
    panel.events.length = 0;

    const response = await panel.post('/del/2');
    expect(response).toEqual({ success: true, msg: 'Inbound has been successfully deleted.', obj: 2 });
    expect((await panel.template.read())['routing']).toEqual({
      rules: [{ inboundTag: ['in-443-tcp'], outboundTag: 'direct' }],
    });
    // The master loses a fallback, so it is sent to the core too.
    expect(panel.runtime.applied.at(-1)).toEqual({ inboundIds: [2, 1], users: [], everything: true });
    const left = await panel.store.reader
      .selectFrom('inboundFallbacks')
      .select(['masterId', 'childId', 'dest'])
      .execute();
    expect(left).toEqual([{ masterId: 1, childId: 0, dest: '8080' }]);
    expect(panel.events.map((event) => 'resource' in event && event.resource)).toEqual(['inbounds', 'clients']);
  });

  it('keeps the clients', async () => {
    await panel.added(withClients(443, 'a'));
    await panel.post('/del/1');
    expect(await panel.store.reader.selectFrom('clients').select('email').execute()).toEqual([{ email: 'a' }]);
    expect(await panel.store.reader.selectFrom('clientInbounds').selectAll().execute()).toEqual([]);
    expect(panel.calls.at(-1)).toBe('noteCommitted');
  });

  it('succeeds for an inbound that no longer exists', async () => {
    expect(await panel.post('/del/7')).toMatchObject({ success: true, obj: 7 });
    expect([panel.runtime.applied, panel.events]).toEqual([[], []]);
    expect((await panel.post('/del/all')).success).toBe(false);
  });
});

describe('POST /bulkDel', () => {
  it('deletes existing ones, names the others and changes the core once', async () => {
    for (const port of [443, 444, 445]) await panel.added(vlessBody(port));
    panel.runtime.applied.length = 0;
    const response = await panel.post('/bulkDel', { ids: [1, 9, 3, 1] });
    const skipped = [{ id: 9, reason: 'inbound not found', code: 'inbound.bulkNotFound' }];
    expect(response.obj).toEqual({ deleted: 2, skipped });
    expect(panel.runtime.applied).toEqual([{ inboundIds: [1, 3], users: [] }]);
    expect((await panel.post('/bulkDel', { ids: [] })).obj).toEqual({ deleted: 0, skipped: [] });
    expect(panel.runtime.applied).toHaveLength(1);
  });

  it.each([{}, { ids: 'all' }, { ids: ['1'] }, { ids: [0] }, { ids: [1.5] }])('refuses %j', async (body) => {
    await panel.added(vlessBody(443));
    expect((await panel.post('/bulkDel', body)).success).toBe(false);
    expect(await panel.rowCount()).toBe(1);
  });
});

describe('POST /:id/delAllClients', () => {
  it('deletes the clients everywhere and keeps the inbound', async () => {
    await panel.added(withClients(443, 'a', 'b'));
    await panel.added(withClients(444, 'b', 'c'));
    panel.events.length = 0;
    expect((await panel.post('/1/delAllClients')).obj).toEqual({ deleted: 2 });
    expect((await panel.post('/1/delAllClients')).obj).toEqual({ deleted: 0 });
    expect((await panel.get('/list')).obj).toMatchObject([{ clientStats: [] }, { clientStats: [{ email: 'c' }] }]);
    expect(panel.events).toContainEqual({ type: 'invalidate', resource: 'inbounds' });
    expect(panel.events).toContainEqual({ type: 'invalidate', resource: 'clients' });
    expect((await panel.post('/9/delAllClients')).msg).toBe('record not found');
  });
});
