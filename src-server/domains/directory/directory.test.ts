import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LDAP_ADMIN, LDAP_BASE, LDAP_PASSWORD, openLdap, type OpenLdap } from '../../testing/peers/open-ldap.ts';
import { ADMIN } from '../../testing/credentials.ts';
import { openPanel, type TestPanel } from '../../testing/panels/open-panel.ts';
import type { ClientRow } from '../clients/contract.ts';
import type { DirectoryPlan, DirectoryRun, DirectoryState, DirectoryTest } from './contract.ts';

let panel: TestPanel;
let ldap: OpenLdap;
let inbound: number;
beforeEach(async () => {
  panel = await openPanel();
  inbound = await panel.inbound(20_443, { tag: 'staff' });
});
afterEach(async () => {
  await panel.close();
  await ldap.close();
});

const person = (uid: string, more: object = {}) => ({ uid, mail: uid, employeeType: 'yes', ...more });
const people = (count: number, from = 0) => Array.from({ length: count }, (_, at) => person(`p${from + at}`));

async function connect(staff: ReturnType<typeof people>, more: object = {}): Promise<void> {
  ldap = await openLdap({ people: staff });
  await panel.set({
    ldapEnable: true,
    ldapHost: '127.0.0.1',
    ldapPort: ldap.port,
    ldapAllowPrivate: true,
    ldapBindDN: LDAP_ADMIN,
    ldapPassword: LDAP_PASSWORD,
    ldapBaseDN: LDAP_BASE,
    ldapFlagField: 'employeeType',
    ldapInboundTags: 'staff, none-of-this-name',
    ldapAutoCreate: true,
    ldapAutoDelete: true,
    ...more,
  });
}

const plan = () => panel.done<DirectoryPlan>('/directory/plan');
const state = () => panel.read<DirectoryState>('/directory/state');
const apply = (id: string) => panel.done<DirectoryRun>('/directory/apply', { id });
const confirm = async () => apply((await plan()).id);
/** Lets a minute pass, which includes a scheduled run. */
async function minute(): Promise<DirectoryRun> {
  await panel.advance(60_000);
  return (await state()).lastRun!;
}
async function clients(): Promise<Record<string, string>> {
  const rows = await panel.read<ClientRow[]>('/clients/list');
  return Object.fromEntries(
    rows.map(({ email, enable, inboundIds }) => [email, `${enable ? 'on' : 'off'} ${inboundIds.length}`]),
  );
}
const countOn = async () => Object.values(await clients()).filter((one) => one === 'on 1').length;

describe('a run', () => {
  test('does nothing before its first plan is confirmed, and then follows the directory automatically', async () => {
    await connect(people(20), { ldapDefaultTotalGB: 2, ldapDefaultExpiryDays: 3, ldapDefaultLimitIP: 4 });
    expect(await minute()).toMatchObject({ outcome: 'held', heldFor: 'first', counts: { create: 20 } });
    expect(await clients()).toEqual({});
    const first = await plan();
    expect(first).toMatchObject({ entries: 20, heldFor: 'first', unknownTags: ['none-of-this-name'], detach: [] });
    expect(await apply(first.id)).toMatchObject({ outcome: 'done', counts: { create: 20 }, skipped: [] });
    expect(await countOn()).toBe(20);
    expect(await panel.state('p0')).toMatchObject({ quotaBytes: 2 * 1024 ** 3 });
    const rows = await panel.read<ClientRow[]>('/clients/list');
    expect(rows[0]).toMatchObject({ limitIp: 4, expiryTime: panel.clock() + 3 * 86_400_000, inboundIds: [inbound] });

    await ldap.refill([...people(18), person('p18', { employeeType: 'no' }), ...people(1, 30)]);
    expect(await minute()).toMatchObject({ outcome: 'done', counts: { create: 1, disable: 1, detach: 1 } });
    expect(await clients()).toMatchObject({ p18: 'off 1', p19: 'on 0', p30: 'on 1' });

    await ldap.refill([...people(20), ...people(1, 30)]);
    expect(await minute()).toMatchObject({ outcome: 'done', counts: { attach: 1, enable: 1 } });
    expect(await countOn()).toBe(21);
  });

  test('that would cut off more than a tenth waits, in every run, until exactly that is confirmed', async () => {
    await connect(people(20));
    await confirm();
    await ldap.refill(people(10));
    for (let run = 0; run < 5; run += 1)
      expect(await minute()).toMatchObject({ outcome: 'held', heldFor: 'tenth', counts: { detach: 10 } });
    expect(await countOn()).toBe(20);
    const { id } = await plan();
    await ldap.refill(people(9));
    expect(await panel.post('/directory/apply', { id })).toMatchObject({ error: { code: 'directory.planChanged' } });
    expect(await countOn()).toBe(20);
    expect(await confirm()).toMatchObject({ outcome: 'done', counts: { detach: 11 } });
    expect(await countOn()).toBe(9);
  });

  test('cannot do in small steps what it may not do at once', async () => {
    await connect(people(40));
    await confirm();
    for (const left of [38, 36, 34, 32]) {
      await ldap.refill(people(left));
      await minute();
    }
    expect(await state()).toMatchObject({ lastRun: { outcome: 'held', heldFor: 'tenth' } });
    expect(await countOn()).toBe(36);
  });

  test('begins at the hour of the panel’s zone, also when that is changed', async () => {
    const hourSoon = (new Date(panel.clock()).getUTCHours() + 1) % 24;
    await connect(people(2), { ldapSyncCron: `0 0 ${hourSoon} * * *`, timeLocation: 'Etc/GMT-6' });
    await panel.advance(3_600_000);
    expect((await state()).lastRun).toBeNull();
    await panel.set({ ldapSyncCron: `0 0 ${(hourSoon + 1) % 24} * * *` });
    await panel.set({ timeLocation: 'UTC' });
    await panel.advance(3_600_000);
    expect((await state()).lastRun).toMatchObject({ outcome: 'held', heldFor: 'first' });
  });

  test.for<[object, object]>([
    [{ ldapInvertFlag: true }, { disable: 20 }],
    [{ ldapUserFilter: '(!(uid=p0))' }, { detach: 1 }],
    [{ ldapBaseDN: LDAP_BASE.toUpperCase() }, { detach: 0 }],
  ])('waits again when the settings that select people have changed: %o', async ([change, counts]) => {
    await connect(people(20));
    await confirm();
    expect(await minute()).toMatchObject({ outcome: 'done' });
    await panel.set(change);
    expect(await minute()).toMatchObject({ outcome: 'held', heldFor: 'first', counts });
    expect(await countOn()).toBe(20);
  });
});

describe('a misbehaving directory changes nothing, and the reason is reported', () => {
  test('an empty response, a wrong password, no response', async () => {
    await connect(people(20));
    await confirm();
    await ldap.refill([]);
    expect(await minute()).toMatchObject({ outcome: 'failed', failure: { stage: 'search', code: 'directory.empty' } });
    await ldap.refill(people(20));
    await panel.set({ ldapUserAttr: 'mobile' });
    expect(await minute()).toMatchObject({
      outcome: 'failed',
      failure: { stage: 'search', code: 'directory.noNames', params: { attribute: 'mobile' } },
    });
    await panel.set({ ldapUserAttr: 'mail' });
    await panel.set({ ldapPassword: 'wrong' });
    expect(await minute()).toMatchObject({
      outcome: 'failed',
      failure: { stage: 'bind', code: 'directory.credentials' },
    });
    expect(JSON.stringify(panel.log.lines)).toContain('directory.run');
    expect(JSON.stringify(panel.log.lines)).not.toContain('wrong');
    await panel.set({ ldapPassword: LDAP_PASSWORD });
    expect(await minute()).toMatchObject({ outcome: 'done' });
    await ldap.stop();
    expect(await minute()).toMatchObject({ outcome: 'failed', failure: { code: 'directory.unreachable' } });
    expect(await countOn()).toBe(20);
  });

  test('a hanging directory blocks no request, no tick and no stop', async () => {
    await connect(people(20));
    await confirm();
    ldap.hang();
    await panel.advance(60_000, { settle: false });
    await expect.poll(async () => (await state()).isRunning).toBe(true);
    expect(await panel.post('/directory/plan')).toMatchObject({ error: { code: 'directory.busy' } });
    await panel.parts.engine.traffic.tick();
    await panel.set({ pageSize: 30 });
    expect((await state()).isRunning).toBe(true);
    expect(await countOn()).toBe(20);
    await panel.app.close();
  });
});

test('runs that start to fail, wait or recover are reported once each, even after a restart', async () => {
  await connect(people(20));
  await confirm();
  const reported = () =>
    panel.events.flatMap((event) => (event.type === 'happened' && event.kind.startsWith('directory.') ? [event] : []));
  expect(reported()).toEqual([]);
  await panel.set({ ldapPassword: 'wrong' });
  for (let run = 0; run < 3; run += 1) await minute();
  expect(reported()).toMatchObject([
    {
      kind: 'directory.failed',
      facts: {
        stage: 'bind',
        error: expect.stringContaining('0x31') as string,
        errorCode: 'directory.credentials',
        text: expect.stringContaining('0x31') as string,
      },
    },
  ]);
  const { events } = await panel.read<{ events: { body: string }[] }>(
    '/events/list?language=ru&kinds=directory.failed',
  );
  expect(events[0]?.body).toContain('каталог не принимает Bind DN или его пароль: InvalidCredentials (0x31)');
  await panel.set({ ldapPassword: LDAP_PASSWORD });
  await ldap.refill(people(10));
  for (let run = 0; run < 3; run += 1) await minute();
  expect(reported().slice(1)).toMatchObject([{ kind: 'directory.held', facts: { heldFor: 'tenth', detach: 10 } }]);
  const { dataDir } = panel;
  await panel.app.close();
  panel = await openPanel({ dataDir, startMs: panel.clock() });
  await minute();
  expect(reported()).toEqual([]);
  await confirm();
  await minute();
  expect(reported()).toMatchObject([{ kind: 'directory.resumed' }]);
});

test('the test reports the stage, what it found, and the error of the directory', async () => {
  await connect(people(3));
  const look = () => panel.done<DirectoryTest>('/directory/test');
  expect(await look()).toEqual({ stage: 'search', unused: ['tls'], entries: 3, failure: null });
  await panel.set({ ldapPassword: 'wrong' });
  expect(await look()).toMatchObject({
    stage: 'bind',
    failure: { code: 'directory.credentials', params: { text: 'InvalidCredentials (0x31)' } },
  });
  await panel.set({ ldapPassword: LDAP_PASSWORD, ldapBaseDN: `ou=none,${LDAP_BASE}` });
  expect(await look()).toMatchObject({
    stage: 'search',
    failure: { code: 'directory.refused', params: { text: 'NoSuchObject (0x20)' } },
  });
  await panel.set({ ldapBaseDN: 'none' });
  expect(await look()).toMatchObject({ failure: { params: { text: 'InvalidDNSyntax (0x22): invalid DN' } } });
  // What would stop a run stops the test, too.
  await panel.set({ ldapBaseDN: LDAP_BASE, ldapUserFilter: '(uid=nobody)' });
  expect(await look()).toMatchObject({ stage: 'search', entries: 0, failure: { code: 'directory.empty' } });
  await panel.set({ ldapUserFilter: '(objectClass=person)', ldapUserAttr: 'mobile' });
  expect(await look()).toMatchObject({ stage: 'search', entries: 0, failure: { code: 'directory.noNames' } });
  await panel.set({ ldapAllowPrivate: false });
  expect(await look()).toMatchObject({ stage: 'connect', failure: { code: 'directory.private' } });
});

describe('signing in', () => {
  const signIn = async (username: string, password: string) => {
    const response = await panel.browser().login({ username, password });
    return response.json?.success;
  };
  const admin = person(ADMIN.username, { userPassword: 'of the directory' });

  test('an admin may use the directory password, and nobody else may', async () => {
    await connect([admin, person('guest', { userPassword: 'guest' })]);
    expect(await signIn(ADMIN.username, 'of the directory')).toBe(true);
    expect(await signIn(ADMIN.username, ADMIN.password)).toBe(true);
    expect(await signIn('guest', 'guest')).toBe(false);
    expect(await signIn(ADMIN.username, 'other')).toBe(false);
    expect(await signIn('*', 'of the directory')).toBe(false);
    expect(await signIn(`${ADMIN.username})(uid=*`, 'of the directory')).toBe(false);
    await panel.set({ ldapSignIn: false });
    expect(await signIn(ADMIN.username, 'of the directory')).toBe(false);
  });

  test('a hanging directory locks out nobody who has the stored password', async () => {
    await connect([admin]);
    ldap.hang();
    expect(await signIn(ADMIN.username, ADMIN.password)).toBe(true);
  });

  test('two entries with one name match nobody', async () => {
    await connect([admin, person('twin', { mail: ADMIN.username, userPassword: 'twin' })]);
    expect(await signIn(ADMIN.username, 'of the directory')).toBe(false);
    expect(await signIn(ADMIN.username, 'twin')).toBe(false);
  });
});
