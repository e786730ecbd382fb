import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../src-server/testing/free-port.ts';
import type { PanelProcess } from '../e2e/harness/panel-process.ts';
import { figure, percentile, spread, timed } from './figures.ts';
import { loopProbe } from './loop/loop-probe.ts';
import { inFolder, startOnce, withPanel } from './measured-panel.ts';
import { residentMiB } from './process-family.ts';
import { seedClients, spreadOver, type Seeded } from './seed.ts';

/** Words in the e-mails of the seeded clients. */
const EVERYBODY = ['example', 'client', 'xample.o', 'lient-', 'ple.org', 'ent-'];
const SIZES = [1_000, 10_000, 50_000, 100_000];
/** Calls whose p95 is compared with the target. */
const BULK_CREATES = 20;
/** Calls of each other verb for many clients. */
const BULK_CHANGES = 12;
/** Longest time that bulk work may block another request. */
const LONGEST_HOLD_MS = 50;

/** Targets in ms. */
export interface ClientTargets {
  list: number;
  search: number;
  verb: number;
  bulkCreate: number;
  bulkAdjust: number;
  import: number;
}
export const TARGETS: ClientTargets = {
  list: 15,
  search: 20,
  verb: 20,
  bulkCreate: 400,
  bulkAdjust: 320,
  import: 3_000,
};

/** One panel under measurement. */
export interface Scene {
  targets: ClientTargets;
  panel: PanelProcess;
  /** Prefix of every figure's name. */
  label: string;
  size: number;
  /** Median ms by measurement, for the growth from size to size. */
  medians: Map<string, number>;
}

/**
 * Every call on clients and their lists, with one inbound at each size and with 20 inbounds of 3 attachments each at
 * the largest; then how each cost grew from the smallest to the largest size.
 */
export async function clientsAtScale(sizes: readonly number[] = SIZES): Promise<void> {
  const medians: Map<string, number>[] = [];
  for (const size of sizes) medians.push(await atSize(size, 1));
  await atSize(sizes.at(-1)!, 20);
  for (const [name, before] of medians[0] ?? []) {
    const after = medians.at(-1)?.get(name) ?? Number.NaN;
    figure(`growth from ${sizes[0]} to ${sizes.at(-1)} clients: ${name}`, after / before, 'times', null);
  }
}

/** @returns the medians, see {@link Scene} */
async function atSize(size: number, inbounds: number): Promise<Map<string, number>> {
  return inFolder(async (dataDir) => {
    const seeded = await seedClients(dataDir, size, await freePort());
    const inboundIds = inbounds === 1 ? [1] : await spreadOver(dataDir, inbounds, 3);
    await startOnce({ dataDir });
    return withPanel({ dataDir }, async (panel) => {
      const label = `${size} clients, ${inbounds} inbound(s)`;
      const scene: Scene = { panel, label, size, medians: new Map(), targets: TARGETS };
      // The start is measured elsewhere: the core still loads its users for a moment.
      await delay(8_000);
      await listsAndVerbs(scene, seeded, inboundIds);
      // Their cost follows their payload, so they do not count among what should not grow.
      await whole({ ...scene, medians: new Map() });
      await delay(5_000);
      figure(`${label}: memory after all of it`, residentMiB(panel.ready.pid), 'MiB', 360);
      figure(`${label}: database`, (await stat(join(dataDir, 'panel.db'))).size / 1_048_576, 'MiB', null);
      return scene.medians;
    });
  });
}

/** Pages, changes of one client, changes of many. */
export async function listsAndVerbs(scene: Scene, seeded: Seeded, inboundIds: number[]): Promise<void> {
  await lists(scene);
  await summary(scene);
  await verbs(scene, seeded, inboundIds);
  await bulk(scene, inboundIds);
}

/** Measures `work` and how long it blocked the panel's event loop. */
async function measured(
  { panel, label, medians }: Scene,
  what: string,
  target: number | null,
  count: number,
  work: (i: number) => Promise<unknown>,
  heldTarget: number | null = null,
): Promise<void> {
  const probe = loopProbe(panel.url);
  const samples = await timed(count, work);
  const heldMs = await probe.stop();
  const name = `${label}: ${what}`;
  medians.set(what, percentile(samples, 50));
  if (count === 1) figure(name, samples[0] ?? Number.NaN, 'ms', target);
  else spread(name, samples, target);
  figure(`${name}: longest wait of another request`, heldMs, 'ms', heldTarget);
}

async function lists(scene: Scene): Promise<void> {
  const { panel, size, targets } = scene;
  const page = (query: string): Promise<unknown> => panel.api.get(`/panel/api/clients/list/paged?${query}`);
  await timed(20, () => page('page=1'));
  const list = (name: string, query: string) => measured(scene, name, targets.list, 60, () => page(query));
  // Each search is a new one.
  const search = (name: string, termOf: (i: number) => string) =>
    measured(scene, name, targets.search, 60, (i) => page(`search=${encodeURIComponent(termOf(i))}`));
  await list('page 1', 'page=1');
  await list('deep page', `page=${Math.floor((size / 25) * 0.9)}`);
  for (const sort of ['enable', 'email', 'inboundIds', 'traffic', 'remaining', 'expiryTime', 'createdAt', 'lastOnline'])
    await list(`sort ${sort}`, `sort=${sort}&order=descend`);
  await list('sort traffic, deep page', `sort=traffic&page=${Math.floor((size / 25) * 0.6)}`);
  for (const filter of ['active', 'deactive', 'depleted', 'expiring', 'online'])
    await list(`filter ${filter}`, `filter=${filter}`);
  await list('filter protocol', 'protocol=vless');
  await list('filter group', 'group=vip');
  // The first search reads the search keys.
  await measured(scene, 'first search', null, 1, () => page('search=first'));
  await search('search of one letter', (i) => String.fromCodePoint(0x61 + (i % 26)));
  await search('search of an absent letter', (i) => String.fromCodePoint(0x430 + (i % 32)));
  await search('search of a full e-mail', (i) => `client-${size - 7 - i}@example.org`);
  await search('search of what everybody has', (i) => EVERYBODY[i % EVERYBODY.length] ?? '');
  await measured(scene, 'search of one letter among active clients', null, 26, (i) =>
    page(`filter=active&search=${String.fromCodePoint(0x61 + i)}`),
  );
}

/** A page whose summary is always stale, because a client was changed a moment before. */
async function summary({ panel: { api }, label, size, medians, targets }: Scene): Promise<void> {
  const samples: number[] = [];
  const changed = Array.from({ length: 60 }, (_, i) => `client-${Math.floor((size / 60) * i)}@example.org`);
  for (const [i, email] of changed.entries()) {
    await api.post(`/panel/api/clients/${i % 2 === 0 ? 'bulkDisable' : 'bulkEnable'}`, { emails: [email] });
    const startedAt = performance.now();
    await api.get('/panel/api/clients/list/paged?pageSize=1');
    samples.push(performance.now() - startedAt);
  }
  await api.post('/panel/api/clients/bulkEnable', { emails: changed });
  medians.set('summary after a change', percentile(samples, 50));
  spread(`${label}: summary after a change`, samples, targets.list);
}

/** Changes of one client at a time. */
export async function verbs(scene: Scene, { uuids }: Seeded, inboundIds: number[]): Promise<void> {
  const { api } = scene.panel;
  const target = scene.targets.verb;
  const own = inboundIds.slice(0, 3);
  const count = 60;
  const add = (email: string) => api.post('/panel/api/clients/add', { client: { email }, inboundIds: own });
  await timed(10, (i) => add(`warm-${i}`));
  await measured(scene, 'add', target, count, (i) => add(`bench-${i}`));
  await measured(scene, 'update', target, count, (i) =>
    api.post(`/panel/api/clients/update/bench-${i}`, {
      email: `bench-${i}`,
      comment: `changed ${i}`,
      id: uuids[i] ? undefined : '',
    }),
  );
  await measured(scene, 'disable', target, count, (i) =>
    api.post('/panel/api/clients/bulkDisable', { emails: [`bench-${i}`] }),
  );
  await measured(scene, 'delete', target, count, (i) => api.post(`/panel/api/clients/del/bench-${i}`));
}

async function bulk(scene: Scene, inboundIds: number[]): Promise<void> {
  const { api } = scene.panel;
  const emails = (kind: string, count: number) => Array.from({ length: count }, (_, i) => `${kind}-${i}`);
  const items = (kind: string, count: number) =>
    emails(kind, count).map((email) => ({
      client: { email, totalGB: 1_000_000, expiryTime: Date.now() + 86_400_000 },
      inboundIds: inboundIds.slice(0, 1),
    }));
  await bulkCreates(scene, (call) => items(`created-${call}`, 1_000));
  const thousands = Array.from({ length: BULK_CHANGES }, (_, at) => emails(`many-${at}`, 1_000));
  for (const at of thousands.keys()) await api.post('/panel/api/clients/bulkCreate', items(`many-${at}`, 1_000));
  const bulkChange = (verb: string, target: number | null, body: object = {}) =>
    measured(scene, `${verb} 1,000`, target, BULK_CHANGES, (i) =>
      api.post(`/panel/api/clients/${verb}`, { emails: thousands[i], ...body }),
    );
  await bulkChange('bulkAdjust', scene.targets.bulkAdjust, { addDays: 1, addBytes: 1_000 });
  await bulkChange('bulkDisable', null);
  await bulkChange('bulkDel', null);
  const data = JSON.stringify(items('imported', 10_000));
  await measured(
    scene,
    'import 10,000',
    scene.targets.import,
    1,
    () => api.post('/panel/api/clients/import', { data }),
    LONGEST_HOLD_MS,
  );
}

/** The first call after the start, then {@link BULK_CREATES} more; each one's clients are deleted before the next. */
async function bulkCreates(
  { panel: { api, url }, label, medians, targets }: Scene,
  itemsOf: (call: number) => { client: { email: string } }[],
): Promise<void> {
  const samples: number[] = [];
  let heldMs = 0;
  for (let call = 0; call <= BULK_CREATES; call++) {
    const items = itemsOf(call);
    const probe = loopProbe(url);
    samples.push(...(await timed(1, () => api.post('/panel/api/clients/bulkCreate', items))));
    heldMs = Math.max(heldMs, await probe.stop());
    await api.post('/panel/api/clients/bulkDel', { emails: items.map(({ client }) => client.email) });
  }
  const [first, ...later] = samples;
  const name = `${label}: bulkCreate 1,000`;
  medians.set('bulkCreate 1,000', percentile(later, 50));
  figure(`${name}: first after the start`, first ?? Number.NaN, 'ms', targets.bulkCreate);
  spread(name, later, targets.bulkCreate);
  figure(`${name}: longest wait of another request`, heldMs, 'ms', null);
}

/** Responses that contain all clients. */
async function whole(scene: Scene): Promise<void> {
  const calls: [string, string, number | null][] = [
    ['export', '/panel/api/clients/export', null],
    ['whole inbound list', '/panel/api/inbounds/list', null],
    ['whole inbound list, slim', '/panel/api/inbounds/list/slim', null],
    ['whole inbound list, counted', '/panel/api/inbounds/list/counted', 60],
    ['inbound options', '/panel/api/inbounds/options', 60],
  ];
  // Not parsed as JSON here: that takes longer than the response itself, and would block the event-loop probe.
  for (const [name, path, target] of calls)
    await measured(scene, name, target, 1, () => scene.panel.api.download(path));
}
