import { expect, test } from 'vitest';
import { appsFor } from './apps.ts';
import { brandStyle, contrast } from './brand.ts';
import { presentInfo, timeEndOf } from '../present.ts';
import { SYSTEMS, systemOf } from './device.ts';
import { PAGE_TEXTS, type PageLanguage } from './page-texts.ts';
import { stateOf, usageCard } from './usage-card.ts';

test.each([
  ['Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/126.0 Mobile Safari/537.36', 'android'],
  ['Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 Chrome/126.0 Safari/537.36', 'android'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Version/17.5 Safari/604.1', 'ios'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/126.0 Safari/537.36', 'windows'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/17.5 Safari/605.1.15', 'macos'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0', 'linux'],
  ['', 'android'],
])('%s runs on %s', (agent, system) => {
  expect(systemOf('', agent)).toBe(system);
  expect(systemOf('windows', agent)).toBe('windows');
  expect(systemOf('nothing', agent)).toBe(system);
});

test('every app gets the address in the form it reads', () => {
  const addresses = { subUrl: 'https://s.example/sub/a?b', subYamlUrl: 'https://s.example/yaml/a' };
  const added = (system: (typeof SYSTEMS)[number]) =>
    Object.fromEntries(appsFor(system, addresses, 'Nord & Süd').map(({ name, add }) => [name, add]));
  const escaped = 'https%3A%2F%2Fs.example%2Fsub%2Fa%3Fb';
  expect(added('android')).toEqual({
    Happ: 'happ://add/https://s.example/sub/a?b',
    v2rayNG: `v2rayng://install-config?url=${escaped}`,
    Hiddify: 'hiddify://import/https://s.example/sub/a?b#Nord%20%26%20S%C3%BCd',
    v2RayTun: 'v2raytun://import/https://s.example/sub/a?b',
    Karing: `karing://install-config?url=${escaped}&name=Nord%20%26%20S%C3%BCd`,
    'Clash Meta': 'clashmeta://install-config?url=https%3A%2F%2Fs.example%2Fyaml%2Fa&name=Nord%20%26%20S%C3%BCd',
  });
  expect(added('ios')).toMatchObject({
    Streisand: `streisand://import/${escaped}`,
    V2Box: `v2box://install-sub?url=${escaped}&name=Nord%20%26%20S%C3%BCd`,
    FoXray: `foxray://yiguo.dev/sub/add/?url=${escaped}#Nord%20%26%20S%C3%BCd`,
    Shadowrocket: `shadowrocket://add/sub://${btoa('https://s.example/sub/a?b&flag=shadowrocket')}?remark=Nord%20%26%20S%C3%BCd`,
  });
  expect(Object.keys(added('windows'))).toEqual(['Happ', 'Hiddify', 'Karing', 'Clash Verge']);
  for (const system of SYSTEMS)
    for (const { install } of appsFor(system, addresses, 'a')) expect(new URL(install).protocol).toBe('https:');
});

test('apps that read only missing formats are left out', () => {
  const apps = appsFor('linux', { subUrl: 'https://s.example/sub/a', subYamlUrl: '' }, 'a');
  expect(apps.map(({ name }) => name)).toEqual(['Happ', 'Hiddify', 'Karing']);
});

test('apps on other engines are left out where every link refuses them', () => {
  const addresses = { subUrl: 'https://s.example/sub/a', subYamlUrl: 'https://s.example/yaml/a', needsXray: true };
  expect(appsFor('linux', addresses, 'a').map(({ name }) => name)).toEqual(['Happ']);
  expect(appsFor('android', addresses, 'a').map(({ name }) => name)).toEqual(['Happ', 'v2rayNG', 'v2RayTun']);
});

test.each(['#ffff00', '#000000', '#ffffff', '#1261c9', '#E8590C', '#777777'])('%s is made readable', (color) => {
  const [light = '', dark = ''] = [...brandStyle(color).matchAll(/--accent:(#[0-9a-f]{6})/gi)].map(([, one]) => one!);
  expect(contrast(light, '#f3f5f8')).toBeGreaterThanOrEqual(4.5);
  expect(contrast(light, '#ffffff')).toBeGreaterThanOrEqual(4.5);
  expect(contrast(dark, '#1a212a')).toBeGreaterThanOrEqual(4.5);
  expect(contrast(dark, '#10151b')).toBeGreaterThanOrEqual(4.5);
});

test('an invalid colour is ignored', () => {
  for (const color of ['', 'red', '#fff', '#12345g', '#123456;}body{display:none']) expect(brandStyle(color)).toBe('');
  expect(brandStyle('#1261c9')).toContain('--accent:#1261c9');
});

test.each([
  ['2026-11-29T22:00', '2026-11-30T03:00', 'Nov', 'tomorrow'],
  ['2026-11-29T22:00', '2026-11-29T23:30', 'Nov', 'today'],
  ['2026-11-29T02:00', '2026-11-28T23:00', 'Nov', 'yesterday'],
  ['2026-11-29T22:00', '2026-12-11T03:00', 'Dec', 'in 12 days'],
])('at %s an end at %s is named by its day in the zone of the panel', (now, end, month, words) => {
  const atMs = (local: string): number => Date.parse(`${local}+03:30`);
  const card = cardOf([atMs(end)], { nowMs: atMs(now), timeZone: 'Asia/Tehran' });
  expect(card).toMatch(new RegExp(`${month}\\w+ \\d+, 2026</bdi><small>${words}<`));
});

test('ends that differ are not called no end, and the next one is named', () => {
  const [nowMs, soonMs, lateMs] = ['2026-11-29', '2026-12-11', '2027-02-01'].map((day) => Date.parse(day)) as [
    number,
    number,
    number,
  ];
  const place = { nowMs, timeZone: 'UTC' };
  const differ = '<dt>Valid until</dt><dd><bdi>Differs between accounts</bdi>';
  for (const ends of [
    [lateMs, soonMs],
    [0, soonMs],
    [nowMs - 1, soonMs],
    [-DAY_MS, soonMs],
  ])
    expect(cardOf(ends, place)).toContain(`${differ}<small>next end: December 11, 2026</small>`);
  expect(cardOf([-DAY_MS, -2 * DAY_MS], place)).toContain(`${differ}</dd>`);
  expect(cardOf([0, 0], place)).toContain('<bdi>No end date</bdi>');
  for (const language of ['en', 'fa', 'ru', 'zh'] as const) {
    const { never, differs, nextEnd, unlimited } = PAGE_TEXTS[language];
    const card = cardOf([0, soonMs], { ...place, language });
    expect(card).toContain(differs);
    expect(card).toContain(`<small>${nextEnd} `);
    expect(card).not.toContain(never);
    const clients = clientsUntil([0, soonMs]);
    const view = presentInfo(clients, { ...FACTS, nowMs });
    expect(stateOf(view, PAGE_TEXTS[language], nowMs, timeEndOf(clients, nowMs)).words).not.toBe(unlimited);
  }
});

const DAY_MS = 86_400_000;
const FACTS = {
  subId: 'a',
  subUrl: '',
  subJsonUrl: '',
  subYamlUrl: '',
  title: '',
  supportUrl: '',
  announce: '',
  datepicker: 'gregorian',
  isOnline: false,
};

/** Clients of one subscription that end at these times. */
function clientsUntil(endsMs: readonly number[]) {
  const used = { quotaBytes: 0, upBytes: 0, downBytes: 0, lastOnlineAtMs: 0, resetDays: 0, resetDay: 0 };
  return endsMs.map((expiresAtMs, index) => ({ email: `a${index}`, enable: 1 as const, expiresAtMs, ...used }));
}

function cardOf(
  endsMs: readonly number[],
  { language = 'en', ...place }: { nowMs: number; timeZone: string; language?: PageLanguage },
): string {
  const clients = clientsUntil(endsMs);
  const end = timeEndOf(clients, place.nowMs);
  return usageCard(presentInfo(clients, { ...FACTS, nowMs: place.nowMs }), {
    texts: PAGE_TEXTS[language],
    language,
    end,
    ...place,
  });
}
