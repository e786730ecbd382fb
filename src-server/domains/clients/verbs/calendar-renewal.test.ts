import { beforeEach, expect, test } from 'vitest';
import { forEachTest } from '../../../testing/for-each-test.ts';
import { DAY_MS } from '../../../testing/panels/client-panel.ts';
import { openPanel } from '../../../testing/panels/open-panel.ts';
import type { ClientPage } from '../list/contract.ts';
import type { ClientRow } from '../contract.ts';
import type { ExportedClient } from '../bulk/contract.ts';

// The test clock starts on 2023-11-14 at 22:13 UTC.
const TWENTIETH = Date.UTC(2023, 10, 20);
const END_OF_MONTH = Date.UTC(2023, 10, 30);

let inboundId: number;
const panel = forEachTest(openPanel);
beforeEach(async () => {
  inboundId = await panel.inbound(443);
});

const rows = async () =>
  (await panel.read<ClientRow[]>('/clients/list')).map(({ email, reset, resetDay, expiryTime }) => ({
    email,
    reset,
    resetDay,
    expiryTime,
  }));
const until = (ms: number) => panel.jumpClock(ms - panel.clock());

test('every call that writes a client accepts the day, and the first end is the next such day', async () => {
  await panel.add({ email: 'added', resetDay: 20 }, [inboundId]);
  await panel.done('/clients/bulkCreate', [{ client: { email: 'bulk', resetDay: 31 }, inboundIds: [inboundId] }]);
  await panel.add({ email: 'updated', reset: 30, expiryTime: 5_000_000_000_000 }, [inboundId]);
  await panel.done('/clients/update/updated', { email: 'updated', resetDay: 20, expiryTime: 4_000_000_000_000 });
  const settings = { decryption: 'none', clients: [{ email: 'entry', resetDay: 20 }] };
  await panel.inbound(444, { settings });
  expect(await rows()).toEqual([
    { email: 'added', reset: 0, resetDay: 20, expiryTime: TWENTIETH },
    { email: 'bulk', reset: 0, resetDay: 31, expiryTime: END_OF_MONTH },
    { email: 'updated', reset: 0, resetDay: 20, expiryTime: 4_000_000_000_000 },
    { email: 'entry', reset: 0, resetDay: 20, expiryTime: TWENTIETH },
  ]);
  const shown = { resetDay: 20, reset: 0, expiryTime: TWENTIETH };
  expect(await panel.read('/clients/get/added')).toMatchObject({ client: shown });
  expect(await panel.read('/clients/traffic/added')).toMatchObject(shown);
  expect((await panel.read<ClientPage>('/clients/list/paged')).items[0]).toMatchObject(shown);
  expect(await panel.read(`/inbounds/get/${inboundId}`)).toMatchObject({
    settings: { clients: [{ email: 'added', resetDay: 20 }, { email: 'bulk', resetDay: 31 }, { email: 'updated' }] },
  });
});

test('an export contains the day, and an import restores it', async () => {
  await panel.add({ email: 'alice', resetDay: 20 }, [inboundId]);
  const exported = await panel.read<ExportedClient[]>('/clients/export');
  expect(exported[0]?.client).toMatchObject({ resetDay: 20, expiryTime: TWENTIETH });
  await panel.done('/clients/del/alice');
  expect(await panel.done('/clients/import', { data: JSON.stringify(exported) })).toMatchObject({ created: 1 });
  expect(await rows()).toEqual([{ email: 'alice', reset: 0, resetDay: 20, expiryTime: TWENTIETH }]);
});

test('both kinds at once are refused with field and remedy; setting one for a client clears the other', async () => {
  const refusal = (field: string) => ({
    success: false,
    obj: {
      issues: [
        {
          field,
          rule: 'excluded_with',
          param: 'reset',
          code: 'field.resetDay',
          params: {},
          message: `${field}: cannot be used together with reset; set one of the two to 0`,
        },
      ],
    },
  });
  const client = { email: 'alice', subId: 's', reset: 30, resetDay: 20 };
  expect(await panel.post('/clients/add', { client, inboundIds: [inboundId] })).toMatchObject(
    refusal('client.resetDay'),
  );
  const outOfRange = await panel.post('/clients/add', {
    client: { email: 'x', resetDay: 32 },
    inboundIds: [inboundId],
  });
  expect(outOfRange).toMatchObject({ success: false, obj: { issues: [{ field: 'client.resetDay', param: '31' }] } });
  await panel.add({ ...client, reset: 0 }, [inboundId]);
  expect(await panel.post('/clients/update/alice', client)).toMatchObject(refusal('resetDay'));
  expect(await rows()).toEqual([{ email: 'alice', reset: 0, resetDay: 20, expiryTime: TWENTIETH }]);
  await panel.add({ email: 'alice', subId: 's', reset: 30 }, [inboundId]);
  expect(await rows()).toMatchObject([{ reset: 30, resetDay: 0 }]);
  await panel.add({ email: 'alice', subId: 's', resetDay: 3 }, [inboundId]);
  expect(await rows()).toMatchObject([{ reset: 0, resetDay: 3 }]);
});

test('on its day it renews in the panel’s time zone, in shorter months on the last day', async () => {
  await panel.add({ email: 'alice', totalGB: 100, resetDay: 31, group: 'vip' }, [inboundId]);
  await panel.add({ email: 'by-hand', resetDay: 31, enable: false }, [inboundId]);
  panel.core.move('users', 'alice', 100, 0);
  await panel.tick();
  expect(await panel.state('alice')).toMatchObject({ enable: 0, disabledBy: 'loop', upBytes: 100 });
  await panel.set({ timeLocation: 'Asia/Tehran' });
  until(END_OF_MONTH - 1_000);
  await panel.tick();
  expect(await panel.state('alice')).toMatchObject({
    enable: 1,
    disabledBy: '',
    upBytes: 0,
    expiresAtMs: Date.parse('2023-12-31T00:00:00+03:30'),
  });
  expect(panel.core.users(inboundId)).toEqual(['alice']);
  expect(await panel.state('by-hand')).toMatchObject({ enable: 0, disabledBy: 'admin' });
  for (const ms of [Date.UTC(2023, 11, 25), Date.UTC(2024, 0, 20), Date.UTC(2024, 1, 10)]) {
    until(ms);
    await panel.tick();
  }
  expect((await panel.state('alice'))?.expiresAtMs).toBe(Date.parse('2024-02-29T00:00:00+03:30'));
});

test('the filter for automatic renewal finds it, and the deletion of depleted clients spares it', async () => {
  await panel.add({ email: 'by-day', resetDay: 20, totalGB: 1 }, [inboundId]);
  await panel.add({ email: 'by-period', reset: 30, expiryTime: panel.clock() + DAY_MS }, [inboundId]);
  await panel.add({ email: 'never', totalGB: 1 }, [inboundId]);
  const emails = async (query: string) =>
    (await panel.read<ClientPage>(`/clients/list/paged?${query}`)).items.map(({ email }) => email);
  expect(await emails('autoRenew=on')).toEqual(['by-day', 'by-period']);
  expect(await emails('autoRenew=off')).toEqual(['never']);
  for (const email of ['by-day', 'never']) panel.core.move('users', email, 1, 0);
  await panel.tick();
  expect(await panel.done('/clients/delDepleted')).toMatchObject({ deleted: 1 });
  expect((await rows()).map(({ email }) => email)).toEqual(['by-day', 'by-period']);
});
