import { appendFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testFolder } from '../../testing/for-each-test.ts';
import type { JsonObject } from '../../contract/json.ts';
import { manualSchedule } from '../../testing/manual-schedule.ts';
import { serveRoutes, type ServedRoutes } from '../../testing/peers/serve-routes.ts';
import { recordingLogger } from '../../testing/test-store.ts';
import { limitCoreLogs } from './core-log-files.ts';
import { createLogRing, type LogRing } from './log-ring.ts';
import { logRoutes } from './routes.ts';
import { createLogService } from './service.ts';
import { texts } from './texts.ts';

const BASE = '/panel/api/server';
let folder = '';
let file = '';
let template: JsonObject;
let ring: LogRing;
let behind: ReturnType<typeof recordingLogger>;
let panel: ServedRoutes;
const nowMs = new Date(2026, 0, 2, 3, 4, 5).getTime();

beforeEach(async () => {
  folder = await testFolder();
  file = join(folder, 'access.log');
  template = {
    log: { access: '/var/log/../access.log' },
    outbounds: [
      { tag: 'out', protocol: 'freedom' },
      { tag: 'nowhere', protocol: 'blackhole' },
      { tag: 'px', protocol: 'vless' },
    ],
  };
  behind = recordingLogger();
  ring = createLogRing(behind, () => nowMs);
  const service = createLogService({ ring, template: async () => template, logDir: folder });
  panel = await serveRoutes((ctx) => logRoutes(ctx, service), {
    ...texts,
    'request.invalid': 'request body failed validation',
  });
});
afterEach(async () => {
  await panel.close();
});

const panelLog = async (count: number | string, body: object = {}): Promise<unknown> =>
  (await panel.post(`${BASE}/logs/${count}`, body)).obj;
const coreLog = async (count: number | string, form: Record<string, string> = {}): Promise<unknown> =>
  (await panel.post(`${BASE}/corelogs/${count}`, new URLSearchParams(form))).obj;

describe('the log of the panel', () => {
  it('returns the newest lines of a level, oldest first, and passes every record on', async () => {
    ring.log.debug('a.debug');
    ring.log.info('b.info', { port: 443 });
    ring.log.warn('c.warn');
    ring.log.error('d.error', { error: new Error('no') });
    const at = '2026/01/02 03:04:05';
    expect(await panelLog(10)).toMatch(
      new RegExp(`^${at} INFO - b.info {"port":443}\\n${at} WARNING - c.warn\\n${at} ERROR - d.error .*no.*$`),
    );
    expect(await panelLog(1, { level: 'WARNING' })).toMatch(/ERROR - d.error/);
    expect(String(await panelLog(9, { level: 'debug' })).split('\n').length).toBe(4);
    expect(String(await panelLog(9, { level: 'notice' })).split('\n').length).toBe(2);
    expect(String(await panelLog(9, { level: 'err' })).split('\n').length).toBe(1);
    expect(await panelLog(9, { level: 'critical' })).toBe('');
    expect(await panelLog(9, { filter: '443' })).toBe(`${at} INFO - b.info {"port":443}`);
    expect((await panel.post(`${BASE}/logs/9`, new URLSearchParams({ level: 'error' }))).obj).toMatch(/d\.error/);
    expect(behind.lines.map(({ level, event }) => [level, event])).toEqual([
      ['debug', 'a.debug'],
      ['info', 'b.info'],
      ['warn', 'c.warn'],
      ['error', 'd.error'],
    ]);
  });

  it.each(['0', '-1', 'x', '1e3', '%20', '99999999999999999999'])('count %s returns no line', async (count) => {
    ring.log.info('one');
    expect(await panelLog(count)).toBe('');
  });

  it('keeps secrets out and every record on one line', async () => {
    ring.log.info('x', { token: 'abc123', note: 'a\nb\u001b[31m', link: 'vless://u@h' });
    ring.log.info('core.output', { text: 'accepted\n2026/01/02 03:04:05 ERROR - forged \u202e' });
    const text = String(await panelLog(9));
    expect(text).not.toMatch(/abc123|vless:\/\/u/);
    expect(text.split('\n').length).toBe(2);
    expect(text).not.toContain('\u001b');
    expect(text).not.toContain('\u202e');
    expect(text).toContain('INFO - CORE: accepted');
  });

  it('keeps important records although every request writes a debug line, and shows both in order', async () => {
    ring.log.info('before');
    for (let index = 0; index < 12_000; index++) ring.log.debug(`request ${index}`);
    ring.log.warn('after');
    ring.log.debug('last');
    expect(String(await panelLog(10))).toMatch(/INFO - before\n.*WARNING - after$/);
    const all = String(await panelLog(4, { level: 'debug' })).split('\n');
    expect(all.map((line) => line.split(' - ')[1])).toEqual(['request 11998', 'request 11999', 'after', 'last']);
  });

  it('is bounded in records and in characters', async () => {
    for (let index = 0; index < 25_000; index++) ring.log.debug(`n${index}`);
    const lines = String(await panelLog(99_999, { level: 'debug' })).split('\n');
    expect([lines.length, lines[0]?.endsWith('n15000'), lines.at(-1)?.endsWith('n24999')]).toEqual([
      10_000,
      true,
      true,
    ]);
    for (let index = 0; index < 4_000; index++)
      ring.log.info('long', { a: 'x'.repeat(900), b: 'y'.repeat(900), c: 'z'.repeat(900) });
    expect(String(await panelLog(10_000)).length).toBeLessThanOrEqual(8 * 1024 * 1024 + 10_000);
  });

  it('reports that there is no system log', async () => {
    expect(await panelLog(5, { syslog: true })).toBe(texts['logs.noSyslog']);
  });

  it('refuses texts without a length limit', async () => {
    const response = await panel.post(`${BASE}/logs/5`, { filter: 'x'.repeat(1_000_000) });
    expect(response).toMatchObject({ success: false, obj: { issues: [{ field: 'filter' }] } });
  });
});

describe('the access log of the core', () => {
  const line = (rest: string): string => `2026/08/22 10:15:04.123456 from ${rest}`;
  const DIRECT = line('203.0.113.9:51820 accepted tcp:example.com:443 [in-443-tcp >> out] email: alice@example.com');
  const BLOCKED = line('tcp:203.0.113.9:5 accepted udp:8.8.8.8:53 [in-443-tcp -> nowhere] email: bob the second');
  const PROXIED = line('[2001:db8::1]:7 accepted tcp:[2001:db8::2]:443 [in ==> px]');
  const REJECTED = line('203.0.113.9:0 rejected  proxy/vless/encoding: invalid request user id');

  it('returns the last lines and hides classes that are false', async () => {
    writeFileSync(file, `${[DIRECT, BLOCKED, line('1.1.1.1:1 accepted x [api -> api]'), '', PROXIED].join('\n')}\n`);
    expect(await coreLog(10)).toBe([DIRECT, BLOCKED, PROXIED].join('\n'));
    expect(await coreLog(2)).toBe([BLOCKED, PROXIED].join('\n'));
    expect(await coreLog(10, { filter: 'alice' })).toBe(DIRECT);
    expect(await coreLog(10, { filter: 'ALICE' })).toBe('');
    expect(await coreLog(10, { showDirect: 'false' })).toBe([BLOCKED, PROXIED].join('\n'));
    expect(await coreLog(10, { showBlocked: 'false', showProxy: 'true' })).toBe([DIRECT, PROXIED].join('\n'));
    expect(await coreLog(1, { showProxy: 'false' })).toBe(BLOCKED);
    const all = [DIRECT, BLOCKED, PROXIED].join('\n');
    for (const showDirect of ['False', 'no', '0', '1', '']) expect(await coreLog(10, { showDirect })).toBe(all);
    for (const showDirect of [true, 0, null])
      expect((await panel.post(`${BASE}/corelogs/9`, { showDirect })).obj).toBe(all);
    expect((await panel.post(`${BASE}/corelogs/9`, { showDirect: false })).obj).toBe([BLOCKED, PROXIED].join('\n'));
    expect((await panel.post(`${BASE}/corelogs/5`, { filter: 'bob' })).obj).toBe(BLOCKED);
    expect(await coreLog('x')).toBe('');
  });

  it('parses lines', async () => {
    writeFileSync(file, [DIRECT, BLOCKED, PROXIED, REJECTED].join('\r\n'));
    const time = `${new Date(2026, 7, 22, 10, 15, 4).toISOString().slice(0, 19)}.123456Z`;
    const entry = (
      FromAddress: string,
      ToAddress: string,
      Inbound: string,
      Outbound: string,
      Email: string,
      Event: number,
    ) => ({ DateTime: time, FromAddress, ToAddress, Inbound, Outbound, Email, Event });
    expect(await coreLog(9, { format: 'entries' })).toEqual([
      entry('203.0.113.9:51820', 'tcp:example.com:443', 'in-443-tcp', 'out', 'alice@example.com', 0),
      entry('tcp:203.0.113.9:5', 'udp:8.8.8.8:53', 'in-443-tcp', 'nowhere', 'bob the second', 1),
      entry('[2001:db8::1]:7', 'tcp:[2001:db8::2]:443', 'in', 'px', '', 2),
      entry('203.0.113.9:0', '', '', '', '', 2),
    ]);
  });

  it('uses the outbounds of the template, matched by the whole tag', async () => {
    const named = (tag: string): string => line(`1.1.1.1:1 accepted tcp:a:1 [in >> ${tag}]`);
    writeFileSync(file, [named('not-out'), named('direct'), named('out')].join('\n'));
    const events = async (): Promise<unknown> =>
      ((await coreLog(9, { format: 'entries' })) as { Event: number }[]).map(({ Event }) => Event);
    expect(await events()).toEqual([2, 2, 0]);
    delete template['outbounds'];
    expect(await events()).toEqual([2, 0, 2]);
  });

  it.each([
    '',
    'x',
    'from',
    line(''),
    line('1.1.1.1:1'),
    line('1.1.1.1:1 accepted'),
    line('1.1.1.1:1 accepted x email:'),
    line('1.1.1.1:1 accepted x email: '),
    line('1.1.1.1:1 accepted [ email: x'),
    line('1.1.1.1:1 accepted ] [ >> ]'),
    line('1.1.1.1:1 accepted email: x email: y'),
    '9999/99/99 99:99:99 from a accepted b',
    '2026/08/22 10:15:04 got answer: example.com. -> [1.2.3.4] 5ms',
    '\u0000\u0001\ufffd',
    `${line('1.1.1.1:1 accepted ')}${'['.repeat(20_000)}`,
  ])('survives malformed line %#', async (strange) => {
    writeFileSync(file, `${DIRECT}\n${strange}\n${BLOCKED}\n`);
    const lines = String(await coreLog(9)).split('\n');
    expect([lines[0], lines.at(-1)]).toEqual([DIRECT, BLOCKED]);
    const entries = (await coreLog(9, { format: 'entries' })) as { Outbound: string }[];
    expect([entries[0]?.Outbound, entries.at(-1)?.Outbound]).toEqual(['out', 'nowhere']);
  });

  it("the e-mail is the one written by the core, not one in a client's request", async () => {
    writeFileSync(file, line('1.1.1.1:1 accepted tcp:x email: forged:80 [in >> out] email: alice'));
    expect(await coreLog(1, { format: 'entries' })).toMatchObject([{ Email: 'alice' }]);
  });

  it('a line of a megabyte hides nothing', async () => {
    writeFileSync(file, `${DIRECT}\n${'x'.repeat(1_000_000)}\n${BLOCKED}\n${line('y'.repeat(1_000_000))}`);
    const lines = String(await coreLog(9)).split('\n');
    expect([lines.length, lines[0], lines[2]]).toEqual([4, DIRECT, BLOCKED]);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(16 * 1024);
  });

  it('lines that cross blocks of the file are complete, including multi-byte characters', async () => {
    const all = Array.from({ length: 5_000 }, (_, index) => `${DIRECT} é漢🙂 ${index}`);
    writeFileSync(file, `${all.join('\n')}\n`);
    expect(String(await coreLog(5_000)).split('\n')).toEqual(all);
  });

  it('reads at most 8 MiB of a file of any size, without blocking anything else', async () => {
    writeFileSync(file, '');
    truncateSync(file, 3 * 1024 ** 3);
    appendFileSync(file, `\n${DIRECT}\n`);
    let turns = 0;
    const ticking = setInterval(() => turns++, 1);
    expect(await coreLog(9)).toContain(DIRECT);
    clearInterval(ticking);
    expect(turns).toBeGreaterThan(0);
  });

  it.each(['none', '', '..', undefined])('log.access %j means no log', async (access) => {
    writeFileSync(file, DIRECT);
    template['log'] = access === undefined ? {} : { access };
    expect(await coreLog(9)).toBe('');
  });

  it('a missing file is an empty log', async () => {
    expect(await coreLog(9)).toBe('');
    expect(await coreLog(9, { format: 'entries' })).toEqual([]);
  });

  it('is truncated after a copy when it has grown too large', async () => {
    const time = manualSchedule();
    limitCoreLogs({ template: async () => template, logDir: folder, schedule: time.schedule, log: time.log });
    writeFileSync(file, DIRECT);
    await time.advance(600_000);
    expect(statSync(file).size).toBe(DIRECT.length);
    truncateSync(file, 64 * 1024 * 1024 + 1);
    await time.advance(600_000);
    expect([statSync(file).size, statSync(`${file}.prev`).size]).toEqual([0, 64 * 1024 * 1024 + 1]);
    await time.schedule.close();
  });
});
