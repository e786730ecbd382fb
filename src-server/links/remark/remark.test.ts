import { describe, expect, test } from 'vitest';
import { compileHostRemark, compileRemark } from './remark.ts';
import type { RemarkContext } from './template.ts';
import type { RemarkClient } from './values.ts';

const NOW_MS = 1_800_000_000_000;
const GIB = 1024 ** 3;
const NINA: RemarkClient = {
  email: 'nina',
  subId: 'k3v9',
  uuid: '5f0c2b7e-91d4-4c38-a6f1-0d9be27c4410',
  tgId: 0,
  comment: '',
  enable: true,
  upBytes: 2 * GIB,
  downBytes: 3 * GIB,
  quotaBytes: 20 * GIB,
  expiresAtMs: NOW_MS + (9 * 1440 + 61) * 60_000,
  createdAtMs: 0,
  resetDays: 0,
};
const UNLIMITED: Partial<RemarkClient> = { quotaBytes: 0, expiresAtMs: 0 };
const DEFAULT = '{{INBOUND}}-{{EMAIL}}|📊{{TRAFFIC_LEFT}}|⏳{{DAYS_LEFT}}D';

interface RenderOptions {
  client?: Partial<RemarkClient>;
  inbound?: string;
  host?: string;
  context?: RemarkContext;
  timeZone?: string;
}

function render(
  template: string,
  { client = {}, inbound = 'Oslo', host = '', context = 'first', timeZone = 'UTC' }: RenderOptions = {},
): string {
  const endpoint = { protocol: 'vless', network: 'ws', inboundRemark: inbound, remark: host, inboundSecurity: 'tls' };
  return compileRemark(template).render({ client: { ...NINA, ...client }, endpoint, nowMs: NOW_MS, timeZone }, context);
}

describe('expansion', () => {
  test.each([
    [DEFAULT, {}, 'Oslo-nina|📊15.00GB|⏳9D'],
    [DEFAULT, { client: UNLIMITED }, 'Oslo-nina'],
    [DEFAULT, { client: UNLIMITED, inbound: '' }, 'nina'],
    ['{{EMAIL}} 📊{{TRAFFIC_LEFT}}', { client: UNLIMITED }, 'nina 📊∞'],
    ['{{INBOUND}}|{{COMMENT}}|{{HOST}}', { host: 'Relay A' }, 'Oslo|Relay A'],
    ['{{STATUS_EMOJI}} {{USAGE_PERCENTAGE}} {{TIME_LEFT}}', {}, '✅ 25.0％ 9d 1h 1m'],
    ['{EMAIL} {DATA_USAGE}/{DATA_LIMIT} {FOO}', {}, 'nina 5.00GB/20.00GB {FOO}'],
    ['{{PROTOCOL}}/{{TRANSPORT}}/{{SECURITY}} {{NOPE}}!', {}, 'VLESS/ws/TLS !'],
    ['{{DAYS_LEFT}}d', { client: { expiresAtMs: -3 * 86_400_000 } }, '3d'],
    ['{{TRAFFIC_LEFT_BYTES}} {{STATUS}}', { client: { quotaBytes: GIB } }, '0 depleted'],
    ['no tokens {at} all', {}, 'no tokens {at} all'],
    ['{{COMMENT}}', {}, 'Oslo'],
    ['{{JALALI_EXPIRE_DATE}}', { client: { expiresAtMs: Date.UTC(2024, 0, 1, 12) } }, '1402/10/11'],
    ['{{EXPIRE_DATE}} {{EXPIRE_UNIX}}', { client: { expiresAtMs: Date.UTC(2024, 0, 1, 12) } }, '2024-01-01 1704110400'],
    [
      '{{EXPIRE_DATE}} {{JALALI_EXPIRE_DATE}}',
      { client: { expiresAtMs: Date.UTC(2023, 11, 31, 21) }, timeZone: 'Asia/Tehran' },
      '2024-01-01 1402/10/11',
    ],
    ['{{EMAIL}} {{CONSTRUCTOR}}x {{constructor}}', {}, 'nina x {{constructor}}'],
  ])('%s', (template, options, expected) => {
    expect(render(template, options)).toBe(expected);
  });

  test.each([
    [{ enable: false }, 'disabled 🚫'],
    [{ expiresAtMs: NOW_MS - 1 }, 'expired ⏳'],
    [{}, 'active ✅'],
  ])('status of %o', (client, expected) => {
    expect(render('{{STATUS}} {{STATUS_EMOJI}}', { client })).toBe(expected);
  });
});

describe('contexts', () => {
  test.each([
    [DEFAULT, 'Oslo-nina', 'Oslo', 'Oslo-nina'],
    ['{{INBOUND}} {{EMAIL}} ⏳{{DAYS_LEFT}}D {{HOST}}', 'Oslo nina H', 'Oslo H', 'Oslo nina H'],
    ['{{STATUS_EMOJI}}{{INBOUND}}|{{PROTOCOL}}', 'Oslo', 'Oslo|VLESS', 'Oslo|VLESS'],
  ])('%s', (template, display, repeat, repeatNamed) => {
    const of = (context: RemarkContext) => render(template, { host: 'H', context });
    expect([of('display'), of('repeat'), of('repeatNamed')]).toEqual([display, repeat, repeatNamed]);
  });
});

describe('the remark of a host', () => {
  test.each([
    ['CDN {{EMAIL}}', 'CDN nina', 'CDN', 'CDN nina'],
    ['CDN|{{EMAIL}}|{DATA_LEFT}', 'CDN|nina|15.00GB', 'CDN', 'CDN|nina'],
    ['CDN {{COMMENT}}', 'CDN', 'CDN', 'CDN'],
    ['{{INBOUND}}{{HOST}} {{TRANSPORT}}', 'Oslo ws', 'Oslo ws', 'Oslo'],
    ['{{HOST}}{{COMMENT}}', '', '', ''],
    ['A | B', 'A | B', 'A | B', 'A | B'],
  ])('%s', (remark, first, repeat, display) => {
    const endpoint = { protocol: 'vless', network: 'ws', inboundRemark: 'Oslo', remark, inboundSecurity: 'tls' };
    const facts = { client: NINA, endpoint, nowMs: NOW_MS, timeZone: 'UTC' };
    const of = (context: RemarkContext) => compileHostRemark(remark).render(facts, context);
    expect([of('first'), of('repeat'), of('display')]).toEqual([first, repeat, display]);
  });
});
