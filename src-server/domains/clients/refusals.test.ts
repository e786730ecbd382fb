import { beforeAll, expect, test } from 'vitest';
import type { Envelope } from '../../contract/envelope.ts';
import { MAX_BYTES } from '../../contract/fields/port.ts';
import { forAllTests } from '../../testing/for-each-test.ts';
import { API_TOKEN } from '../../testing/credentials.ts';
import { openPanel } from '../../testing/panels/open-panel.ts';
import * as clientIps from '../clientIps/contract.ts';
import * as bulkClients from './bulk/contract.ts';
import * as clients from './contract.ts';
import { texts as clientIpTexts } from '../clientIps/texts.ts';
import * as groups from '../groups/contract.ts';
import { texts as groupTexts } from '../groups/texts.ts';
import * as jobs from '../jobs/contract.ts';
import type { Job } from '../jobs/contract.ts';
import { texts as jobTexts } from '../jobs/texts.ts';
import * as traffic from '../traffic/contract.ts';
import { texts as trafficTexts } from '../traffic/texts.ts';

import { texts as clientTexts } from './texts.ts';

const DAY_MS = 86_400_000;
const MANY = 20_000;

let vless: number;
let trojan: number;
let mixed: number;

const panel = forAllTests(() => openPanel({ startMs: Date.now(), isWithoutCore: true }));
beforeAll(async () => {
  const streamSettings = { network: 'tcp', security: 'none' };
  vless = await inbound({ port: 40_441, protocol: 'vless', settings: { decryption: 'none' }, streamSettings });
  trojan = await inbound({ port: 40_442, protocol: 'trojan', settings: {}, streamSettings });
  mixed = await inbound({ port: 40_443, protocol: 'mixed', settings: { auth: 'noauth' } });
  const expiryTime = Date.now() + DAY_MS;
  await done('clients/add', { client: { email: 'a', subId: 'sa', totalGB: 5, expiryTime }, inboundIds: [vless] });
  await done('clients/add', { client: { email: 'b', subId: 'sb', password: 'pw' }, inboundIds: [trojan] });
  await done('clients/add', { client: { email: 'waiting', expiryTime: -DAY_MS }, inboundIds: [vless] });
  await done('clients/groups/create', { name: 'vip' });
  await done('clients/groups/create', { name: 'other' });
});

async function send(call: string, body?: unknown): Promise<Envelope & { header: string | null }> {
  const response = await fetch(new URL(`panel/api/${call}`, panel.app.panel.url), {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${API_TOKEN}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect(response.status).toBe(200);
  return { ...((await response.json()) as Envelope), header: response.headers.get('x-error-code') };
}

async function done<T = unknown>(call: string, body: object): Promise<T> {
  const { success, msg, obj } = await send(call, body);
  if (!success) throw new Error(`refused: ${msg}`);
  return obj as T;
}

const inbound = async (body: object): Promise<number> => (await done<{ id: number }>('inbounds/add', body)).id;

const add = (client: object, inboundIds: number[] = [vless]) => send('clients/add', { client, inboundIds });
const links = (externalLinks: object[]) => send('clients/a/externalLinks', { externalLinks });

/** A quarantined difference for a client that does not exist. */
function quarantined(): number {
  panel.write(`INSERT INTO trafficSources (id, kind, guid, bootId) VALUES (77, 'core', 'g', '')`);
  panel.write(`INSERT INTO quarantinedDeltas (id, sourceId, atMs, kind, subject, ownerId, upBytes, downBytes, intervalMs)
    VALUES (77, 77, 1, 'user', 'gone', 999, 1, 1, 1)`);
  return 77;
}

let cancelled = '';
/** Bulk work cancelled while it runs. */
async function cancelledWork(): Promise<Envelope & { header: string | null }> {
  const items = Array.from({ length: MANY }, (_, at) => ({ client: { email: `many-${at}` }, inboundIds: [vless] }));
  const creating = send('clients/bulkCreate', items);
  let running: Job | undefined;
  while (running === undefined)
    running = ((await send('jobs')).obj as Job[]).find(({ kind }) => kind === 'bulkCreateClients');
  cancelled = running.id;
  await done(`jobs/${cancelled}/cancel`, {});
  return creating;
}

async function tooManyMasters(): Promise<Envelope & { header: string | null }> {
  const push = (at: number) =>
    send('inbounds/pushClientTraffics', { masterGuid: `m${at}`, traffics: [{ email: 'a', up: 1, down: 1 }] });
  for (let at = 0; at < 32; at++) await push(at);
  return push(32);
}

/** Whole calls that are refused: code, message, call. */
const refusals: [string, string, () => Promise<Envelope & { header: string | null }>][] = [
  ['client.emailRequired', 'client email is required', () => add({ email: ' ' })],
  ['client.emailInvalid', 'client email contains an invalid character: x>y', () => add({ email: 'x>y' })],
  ['client.subIdInvalid', 'client subId contains an invalid character: x y', () => add({ email: 'c', subId: 'x y' })],
  ['client.groupInvalid', 'a group cannot be named ..', () => add({ email: 'c', group: '..' })],
  ['client.groupInvalid', 'a group cannot be named .', () => send('clients/update/a', { email: 'a', group: '.' })],
  ['client.inboundRequired', 'at least one inbound is required', () => add({ email: 'c' }, [])],
  ['client.emailTaken', 'email already in use: A', () => add({ email: 'A' })],
  ['client.subIdTaken', 'subId already in use: sa', () => add({ email: 'c', subId: 'sa' })],
  ['client.duplicateEmail', 'Duplicate email: B', () => send('clients/update/a', { email: 'B' })],
  ['client.duplicateSubId', 'Duplicate subId: sb', () => send('clients/update/a', { email: 'a', subId: 'sb' })],
  ['client.planUnknown', 'there is no plan 9; choose another one, or none', () => add({ email: 'c', planId: 9 })],
  ['client.notFound', 'client not found', () => send('clients/get/nobody')],
  ['client.unknown', 'client "nobody" not found in any inbound or client record', () => send('clients/del/nobody', {})],
  [
    'client.inboundUnknown',
    'inbound 99999: record not found',
    () => send('clients/a/attach', { inboundIds: [99_999] }),
  ],
  [
    'client.protocolWithoutClients',
    'protocol mixed does not support clients',
    () => send('clients/a/attach', { inboundIds: [mixed] }),
  ],
  [
    'client.credentialTaken',
    'password of c is the same to the core as that of b on inbound 2; give one of them another password',
    () => add({ email: 'c', password: 'pw' }, [trojan]),
  ],
  ['client.linkKindUnknown', 'unknown external link kind: x', () => links([{ kind: 'x', value: 'y' }])],
  ['client.linkInvalid', 'unsupported or invalid share link: hello', () => links([{ value: 'hello' }])],
  [
    'client.linkNotHttp',
    'external subscription must be an http(s) URL: ftp://a',
    () => links([{ kind: 'subscription', value: 'ftp://a' }]),
  ],
  [
    'client.tooManyMasters',
    '32 other panels push totals here already; wait a day after switching one of them off',
    tooManyMasters,
  ],
  ['client.workCancelled', 'The work was cancelled; nothing has been changed.', cancelledWork],
  ['client.noAdjustment', 'no adjustment specified', () => send('clients/bulkAdjust', { emails: ['a'], flow: 'fast' })],
  [
    'client.importUnreadable',
    'data must be the JSON text of an array of clients',
    () => send('clients/import', { data: '{}' }),
  ],
  ['group.nameRequired', 'group name is required', () => send('clients/groups/create', { name: ' ' })],
  ['group.oldNameRequired', 'old group name is required', () => send('clients/groups/rename', { newName: 'x' })],
  ['group.newNameRequired', 'new group name is required', () => send('clients/groups/rename', { oldName: 'vip' })],
  ['group.exists', 'group already exists', () => send('clients/groups/rename', { oldName: 'vip', newName: 'other' })],
  [
    'clientIps.invalid',
    'invalid data (a list of {clientEmail, ips: [{ip, timestamp}]} was expected)',
    () => send('server/clientIps', { ips: 5 }),
  ],
  ['traffic.clientUnknown', 'client "nobody" not found', () => send('clients/ledger/nobody')],
  ['traffic.rangeEmpty', 'the range is empty: "from" must be before "to"', () => send('clients/ledger/a?from=2&to=1')],
  [
    'traffic.rangeTooLong',
    'the range is longer than five years',
    () => send('traffic/history?subject=all&period=range&from=1&to=1735689600000'),
  ],
  ['traffic.subjectUnknown', '"nothing" not found', () => send('traffic/history?subject=inbound&name=nothing')],
  [
    'traffic.quarantineUnknown',
    'there is no quarantined difference 99; it may have been settled already',
    () => send('clients/quarantine/99/dismiss', {}),
  ],
  [
    'traffic.quarantineOwnerGone',
    '"gone" no longer exists, so nothing can be credited. Dismiss the difference instead.',
    () => send(`clients/quarantine/${quarantined()}/credit`, {}),
  ],
  ['job.unknown', 'There is no such job; ended ones are forgotten after a while.', () => send('jobs/none')],
  ['job.ended', 'The job has ended already.', () => send(`jobs/${cancelled}/cancel`, {})],
];

/** Items of bulk calls that are skipped: code, reason, call. */
const skips: [string, string, () => Promise<Envelope>][] = [
  ['client.notFound', 'client not found', () => send('clients/bulkDel', { emails: ['nobody'] })],
  ['client.unlimitedExpiry', 'unlimited expiry', () => send('clients/bulkAdjust', { emails: ['b'], addDays: 1 })],
  [
    'client.reducesTime',
    'reduction exceeds remaining time',
    () => send('clients/bulkAdjust', { emails: ['a'], addDays: -36_500 }),
  ],
  [
    'client.reducesDelay',
    'reduction exceeds delay window',
    () => send('clients/bulkAdjust', { emails: ['waiting'], addDays: -1 }),
  ],
  ['client.unlimitedTraffic', 'unlimited traffic', () => send('clients/bulkAdjust', { emails: ['b'], addBytes: 1 })],
  [
    'client.reducesQuota',
    'reduction exceeds remaining quota',
    () => send('clients/bulkAdjust', { emails: ['a'], addBytes: -5 }),
  ],
  [
    'client.limitTooLarge',
    'the new limit is too large',
    () => send('clients/bulkAdjust', { emails: ['a'], addBytes: MAX_BYTES }),
  ],
  [
    'client.flowUnsupported',
    'flow not supported on inbound',
    () => send('clients/bulkAdjust', { emails: ['a'], flow: 'xtls-rprx-vision' }),
  ],
];

/** Everything a refusal must leave unchanged. */
const state = async (): Promise<unknown> => [(await send('clients/export')).obj, (await send('clients/groups')).obj];

test.each(refusals)('%s', async (code, words, call) => {
  const before = await state();
  const { header, success, msg, error } = await call();
  expect({ success, msg, code: error?.code }).toEqual({ success: false, msg: words, code });
  // A refused body has issues instead of a single code.
  expect(header).toBe(code === 'clientIps.invalid' ? null : code);
  expect(await state()).toEqual(before);
});

test.each(skips)('%s as the reason why an item is skipped', async (code, reason, call) => {
  const before = await state();
  const { success, obj } = await call();
  expect(success).toBe(true);
  expect((obj as { skipped: object[] }).skipped).toEqual([expect.objectContaining({ code, reason })]);
  expect(await state()).toEqual(before);
});

test('every text of these domains is used', () => {
  const contracts = [clients, bulkClients, groups, clientIps, traffic, jobs];
  const successes = contracts.flatMap((contract) =>
    Object.values(contract).flatMap((each: unknown) => (Object(each) as { message?: string }).message ?? []),
  );
  // Reported as the failure of a job, and while a node's clients are taken over; those two have their own tests.
  const elsewhere = ['job.interrupted', 'client.credentialsDiffer'];
  const reported = [...refusals, ...skips].map(([code]) => code).concat(successes, elsewhere);
  const texts = { ...clientTexts, ...groupTexts, ...clientIpTexts, ...trafficTexts, ...jobTexts };
  expect([...new Set(reported)].sort()).toEqual(Object.keys(texts).sort());
});
