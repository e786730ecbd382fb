import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { beforeEach, describe, expect, it } from 'vitest';
import { testFolder } from '../testing/for-each-test.ts';
import { DomainError } from '../contract/domain-error.ts';
import { createLogger, logFile, type LogLevel } from './create-logger.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await testFolder();
});

const AT = Date.UTC(2026, 0, 2, 3, 4, 5);

function logTo(level: LogLevel = 'debug', maxFileBytes?: number) {
  const stream = new PassThrough();
  const log = createLogger({
    level,
    clock: () => AT,
    dataDir,
    stream,
    ...(maxFileBytes === undefined ? {} : { maxFileBytes }),
  });
  const text = () => ((stream.read() as Buffer | null) ?? '').toString();
  return {
    log,
    stream,
    text,
    lines: () =>
      text()
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Line),
  };
}
interface Line {
  time: string;
  level: string;
  event: string;
  fields?: Record<string, unknown>;
}

describe('the logger', () => {
  it('writes the same JSON lines to the stream and to a file only its owner can read', async () => {
    const { log, text } = logTo();
    log.info('panel.ready', { port: 1, ok: true, none: null });
    log.debug('request');
    await log.close();
    const streamed = text();
    expect(streamed).toBe(
      '{"time":"2026-01-02T03:04:05.000Z","level":"info","event":"panel.ready","fields":{"port":1,"ok":true,"none":null}}\n' +
        '{"time":"2026-01-02T03:04:05.000Z","level":"debug","event":"request"}\n',
    );
    expect(await readFile(logFile(dataDir), 'utf8')).toBe(streamed);
    expect((await stat(logFile(dataDir))).mode & 0o777).toBe(0o600);
  });

  it('leaves out lines below its level', () => {
    const { log, lines } = logTo('warn');
    log.debug('a');
    log.info('b');
    log.warn('c');
    log.error('d');
    expect(lines().map(({ event }) => event)).toEqual(['c', 'd']);
  });

  it('redacts by field name at every depth, and keeps names that only look alike', () => {
    const { log, lines } = logTo();
    log.info('x', {
      password: 'p1',
      smtpPassword: 'p2',
      apiToken: 't',
      secret: 's',
      key: 'k',
      privateKey: 'pk',
      Authorization: 'Bearer abc',
      'set-cookie': ['a=b', 'c=d'],
      cookie: { nested: 'deep' },
      subId: 'abc',
      link: 'vless://x',
      inner: { list: [{ csrfToken: 'c', uuid: 'u', name: 'kept' }], twoFactorCode: '123456' },
      keyFile: '/etc/key.pem',
      tokenId: 7,
      links: ['vmess://1'],
    });
    expect(lines()[0]!.fields).toEqual({
      password: '[redacted]',
      smtpPassword: '[redacted]',
      apiToken: '[redacted]',
      secret: '[redacted]',
      key: '[redacted]',
      privateKey: '[redacted]',
      Authorization: '[redacted]',
      'set-cookie': '[redacted]',
      cookie: '[redacted]',
      subId: '[redacted]',
      link: '[redacted]',
      inner: { list: [{ csrfToken: '[redacted]', uuid: '[redacted]', name: 'kept' }], twoFactorCode: '[redacted]' },
      keyFile: '/etc/key.pem',
      tokenId: 7,
      links: '[redacted]',
    });
  });

  it('redacts links, bearer tokens and credentials inside texts and errors', () => {
    const { log, lines } = logTo();
    log.error('x', {
      text: 'failed for vless://uuid@host:443?x#y and Bearer abc.def, proxy socks5://user:pw@10.0.0.1:1080 gone',
      error: new DomainError('node.refused', { password: 'no', port: 5 }, { cause: new Error('http://a:b@c/d') }),
    });
    const [line] = lines();
    expect(line!.fields!['text']).toBe(
      'failed for vless://[redacted] and Bearer [redacted] proxy socks5://[redacted]@10.0.0.1:1080 gone',
    );
    expect(line!.fields!['error']).toMatchObject({
      name: 'DomainError',
      message: 'node.refused',
      errorCode: 'node.refused',
      params: { password: '[redacted]', port: 5 },
      cause: { message: 'http://[redacted]@c/d' },
    });
    expect((line!.fields!['error'] as { stack: string }).stack).toContain('logging.test.ts');
  });

  it('keeps one event on one line, whatever the values hold', () => {
    const { log, text } = logTo();
    log.warn('login.refused', { username: 'a\r\n{"level":"error"}\u001b[31m\u0085\u2028\u202e\u200f\u0000\ud800' });
    const line = text();
    expect(line.trimEnd()).not.toMatch(/[^\u0020-\u007e]/);
    expect((JSON.parse(line) as Line).fields!['username']).toContain('\r\n{"level":"error"}');
  });

  it('bounds long texts, long lists, deep and strange values, and never throws', () => {
    const { log, lines } = logTo();
    const loop: Record<string, unknown> = {};
    loop['self'] = loop;
    const trap = {
      get bad() {
        throw new Error('getter');
      },
    };
    log.info('x', {
      long: 'y'.repeat(1_000_000),
      list: Array.from({ length: 1000 }, (_, i) => i),
      loop,
      trap,
      big: 10n,
      bytes: new Uint8Array(5),
      date: new Date(0),
      map: new Map([['password', 'p']]),
      run() {},
      nothing: undefined,
    });
    const { fields } = lines()[0]!;
    expect(fields!['long']).toBe(`${'y'.repeat(1000)}… (1000000 characters)`);
    expect(fields!['list']).toHaveLength(51);
    expect(JSON.stringify(fields!['loop'])).toContain('[nested deeper]');
    expect(fields).toMatchObject({
      trap: '[unreadable]',
      big: '10',
      bytes: '[5 bytes]',
      date: '1970-01-01T00:00:00.000Z',
      map: { password: '[redacted]' },
      run: '[function]',
      nothing: null,
    });
  });

  it('begins a new file when one is full and keeps five', async () => {
    const { log, stream } = logTo('debug', 2000);
    stream.resume();
    for (let i = 0; i < 300; i++) log.info('n', { i });
    await log.close();
    const names = (await readdir(join(dataDir, 'logs'))).sort();
    expect(names).toEqual(['panel.log', 'panel.log.1', 'panel.log.2', 'panel.log.3', 'panel.log.4']);
    const numbers: number[] = [];
    for (const name of names.toReversed()) {
      const text = await readFile(join(dataDir, 'logs', name), 'utf8');
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2000);
      for (const line of text.trimEnd().split('\n')) numbers.push((JSON.parse(line) as Line).fields!['i'] as number);
    }
    expect(numbers.at(-1)).toBe(299);
    expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, i) => 300 - numbers.length + i));
  });

  it('continues the file of the previous run', async () => {
    const first = logTo();
    first.log.info('a');
    await first.log.close();
    const second = logTo();
    second.log.info('b');
    await second.log.close();
    expect((await readFile(logFile(dataDir), 'utf8')).trimEnd().split('\n')).toHaveLength(2);
  });

  it('reports once on the stream that the file cannot be written, and goes on', async () => {
    await writeFile(join(dataDir, 'logs'), 'a file where the folder should be');
    const { log, lines } = logTo();
    log.info('a');
    await log.close();
    log.info('b');
    await log.close();
    expect(lines().map(({ event }) => event)).toEqual(['a', 'log.fileFailed', 'b']);
  });

  it('survives when its reader goes away', () => {
    const { log, stream } = logTo();
    log.info('a');
    stream.emit('error', new Error('EPIPE'));
    expect(() => log.info('b')).not.toThrow();
  });
});
