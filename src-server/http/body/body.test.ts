import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { endpoint } from '../../contract/endpoint.ts';
import { sendRaw } from '../../testing/peers/raw-request.ts';
import { send, type TestRequest } from '../../testing/peers/test-browser.ts';
import { openTestPanel, type TestPanel } from '../../testing/panels/test-panel.ts';
import { bind } from '../bind.ts';

const body = z.object({ text: z.string(), list: z.array(z.string()).optional() });
const shape = { summary: '', result: z.unknown() };
const json = endpoint('POST', '/panel/api/test/json', { ...shape, body, encoding: 'json' });
const form = endpoint('POST', '/panel/api/test/form', { ...shape, body, encoding: 'form' });
const either = endpoint('POST', '/panel/api/test/either', { ...shape, body });
const upload = endpoint('POST', '/panel/api/test/upload', { ...shape, encoding: 'upload' });

let panel: TestPanel;
let uploadFolder: string;
let bearer: Record<string, string>;
let calls = 0;
const seen: { path: string; content: string }[] = [];
beforeAll(async () => {
  uploadFolder = await mkdtemp(join(tmpdir(), 'switchyard-upload-'));
  panel = await openTestPanel({
    server: { uploadFolder },
    mount: [
      (context) => {
        const echo = (call: { body: unknown }) => {
          calls++;
          return call.body;
        };
        bind(context, json, echo);
        bind(context, form, echo);
        bind(context, either, echo);
        bind(context, upload, async ({ files }) => {
          for (const { path } of files) seen.push({ path, content: await readFile(path, 'utf8') });
          return files.map(({ field, name, sizeBytes }) => ({ field, name, sizeBytes }));
        });
      },
    ],
  });
  bearer = { authorization: `Bearer ${await panel.token()}` };
});
afterAll(async () => {
  await panel.close();
  await rm(uploadFolder, { recursive: true });
});

const post = (name: string, sent: TestRequest['body'], headers: Record<string, string> = {}) =>
  send(`${panel.listening.url}panel/api/test/${name}`, {
    method: 'POST',
    body: sent ?? '',
    headers: { ...bearer, ...headers },
  });
const asJson = { 'content-type': 'application/json' };
const asForm = { 'content-type': 'application/x-www-form-urlencoded' };

test('JSON and forms arrive in the form that their endpoint takes; repeated form keys are a list', async () => {
  expect((await post('json', { text: 'ünï' })).json?.obj).toEqual({ text: 'ünï' });
  expect((await post('form', 'text=a+b%26c&list=1&list=2&list=3', asForm)).json?.obj).toEqual({
    text: 'a b&c',
    list: ['1', '2', '3'],
  });
  expect((await post('either', { text: 'x' })).json?.obj).toEqual({ text: 'x' });
  expect((await post('either', 'text=x', asForm)).json?.obj).toEqual({ text: 'x' });
});

describe('refusals change nothing and say why', () => {
  const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
  test.each([
    ['a form where JSON is due', 'json', 'text=x', asForm, /must be JSON/],
    ['JSON where a form is due', 'form', '{"text":"x"}', asJson, /must be a form/],
    ['JSON without a type', 'either', '{"text":"x"}', {}, /application\/json/],
    ['JSON as plain text', 'json', '{"text":"x"}', { 'content-type': 'text/plain' }, /must be JSON/],
    ['broken JSON', 'json', '{"text":', asJson, /not valid JSON/],
    ['10,000 levels', 'json', deep, asJson, /nested deeper/],
    ['__proto__', 'json', '{"text":"x","__proto__":{"isAdmin":true}}', asJson, /__proto__/],
    ['__proto__ in a form', 'form', 'text=x&__proto__=y', asForm, /__proto__/],
    ['NUL', 'json', String.raw`{"text":"a\u0000b"}`, asJson, /NUL/],
    ['bytes that are no UTF-8', 'json', new Uint8Array([0x22, 0xff, 0x22]), asJson, /UTF-8/],
    ['a form of too many fields', 'form', 'a=&'.repeat(20_001), asForm, /more than 20000 fields/],
  ])('%s', async (_name, endpointName, sent, headers, message) => {
    const before = calls;
    const response = await post(endpointName, sent, headers);
    expect(response.status).toBe(200);
    expect(response.json).toMatchObject({ success: false, msg: 'request body failed validation', obj: { issues: [] } });
    expect((response.json?.obj as { message: string } | undefined)?.message).toMatch(message);
    expect(calls).toBe(before);
  });

  test('fields that break the schema are all named', async () => {
    const response = await post('json', { text: 1, list: 'x' });
    expect(response.json).toEqual({
      success: false,
      msg: 'request body failed validation',
      obj: {
        message: expect.any(String) as string,
        issues: [
          expect.objectContaining({ field: 'text', rule: 'type', param: 'string' }),
          expect.objectContaining({ field: 'list', rule: 'type', param: 'array' }),
        ],
      },
      error: { code: 'request.invalid', params: {} },
    });
  });

  test('more than 10 MiB is refused, announced or not', async () => {
    const large = Buffer.alloc(10 * 1024 * 1024 + 1, 0x20);
    const msg = 'The request body exceeds 10485760 bytes.';
    const announced = await post('json', large, asJson);
    expect(announced).toMatchObject({ status: 413, json: { success: false, msg, obj: null } });
    const chunked = await fetch(`${panel.listening.url}panel/api/test/json`, {
      method: 'POST',
      headers: { ...bearer, ...asJson },
      body: new Blob([large]).stream(),
      duplex: 'half',
    });
    expect(chunked.status).toBe(413);
    const error = { code: 'request.tooLarge', params: { limit: 10 * 1024 * 1024 } };
    expect(await chunked.json()).toEqual({ success: false, msg, obj: null, error });
  });

  test.each([
    ['with a token', 'panel/api/test/json', 413],
    ['by a stranger', 'panel/api/test/json', 404],
    ['as a file', 'panel/api/test/upload', 413],
  ])('a body announced as too large is not read: %s', async (who, path, status) => {
    const length = who === 'as a file' ? 2 ** 31 : 100 * 1024 * 1024;
    const lines = [
      `POST ${new URL(path, panel.listening.url).pathname} HTTP/1.1`,
      `Host: 127.0.0.1`,
      ...(who === 'by a stranger' ? [] : [`Authorization: ${bearer['authorization']}`]),
      `Content-Type: ${who === 'as a file' ? 'multipart/form-data; boundary=x' : 'application/json'}`,
      `Content-Length: ${length}`,
    ];
    const { text, sentBytes, isEnded } = await sendRaw(panel.listening.url, lines, length);
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} .*connection: close`, 'is'));
    expect([isEnded, sentBytes < 10 * 1024 * 1024]).toEqual([true, true]);
    const expecting = await sendRaw(panel.listening.url, [...lines, 'Expect: 100-continue']);
    expect(expecting.text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });

  test('a body that waits for 100 Continue gets it; a request with two hosts is refused', async () => {
    const path = new URL('panel/api/test/json', panel.listening.url).pathname;
    const lines = [`POST ${path} HTTP/1.1`, 'Host: 127.0.0.1', `Authorization: ${bearer['authorization']}`];
    const expecting = [...lines, 'Content-Type: application/json', 'Expect: 100-continue', 'Connection: close'];
    const { text } = await sendRaw(panel.listening.url, [...expecting, 'Content-Length: 65536'], 65_536);
    expect(text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
    const twice = await sendRaw(panel.listening.url, [...lines, 'Host: localhost', 'Connection: close']);
    expect(twice.text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  });

  test('strangers may send 64 KiB', async () => {
    const response = await panel.browser().post('login', { username: 'x', password: 'y'.repeat(70_000) });
    expect(response).toMatchObject({ status: 413, json: { msg: 'The request body exceeds 65536 bytes.' } });
  });
});

describe('bodies from other panels', () => {
  const plain = JSON.stringify({ text: 'x'.repeat(5000) });
  const hash = createHash('sha256').update(plain).digest('hex');
  const zstd = { ...asJson, 'content-encoding': 'zstd' };

  test('compressed, with the hash of the plain bytes', async () => {
    const response = await post('json', zstdCompressSync(plain), { ...zstd, 'x-config-sha256': hash });
    expect(response.json?.success).toBe(true);
    expect((await post('json', plain, { ...asJson, 'x-config-sha256': hash.toUpperCase() })).json?.success).toBe(true);
  });

  test('a damaged or bloated body never reaches the handler', async () => {
    const before = calls;
    const bomb = zstdCompressSync(Buffer.alloc(9 * 1024 * 1024, 0x20));
    expect(await post('json', plain, { ...asJson, 'x-config-sha256': hash.replace(/^./, 'z') })).toMatchObject({
      status: 400,
      text: '',
    });
    expect(await post('json', plain, zstd)).toMatchObject({ status: 400, text: '' });
    expect(await post('json', bomb, zstd)).toMatchObject({ status: 400, text: '' });
    for (const encoding of ['gzip', 'br', 'zstd, gzip'])
      expect(await post('json', plain, { ...asJson, 'content-encoding': encoding })).toMatchObject({
        status: 415,
        text: '',
      });
    expect(calls).toBe(before);
  });

  test('the panel does not decompress for strangers', async () => {
    const sent = zstdCompressSync(JSON.stringify({ username: 'x', password: 'y' }));
    const response = await panel.browser().post('login', sent, zstd);
    expect(response).toMatchObject({ status: 415, text: '' });
  });
});

describe('uploads', () => {
  test('files reach the handler and are deleted after it', async () => {
    const sent = new FormData();
    sent.append('db', new Blob(['the content']), '../../etc/passwd');
    const response = await fetch(`${panel.listening.url}panel/api/test/upload`, {
      method: 'POST',
      headers: bearer,
      body: sent,
    });
    expect(((await response.json()) as { obj: unknown }).obj).toEqual([
      { field: 'db', name: '../../etc/passwd', sizeBytes: 11 },
    ]);
    expect(seen).toHaveLength(1);
    expect(seen[0]?.content).toBe('the content');
    expect(seen[0]?.path.startsWith(uploadFolder)).toBe(true);
    expect(existsSync(seen[0]?.path ?? '')).toBe(false);
  });

  test('a part with a file name is a file, also without a type of its own', async () => {
    const content = Buffer.alloc(1_000_000, 'SQLite format 3\0\x80\xff', 'latin1');
    const head = (rest: string) => Buffer.from(`--x\r\nContent-Disposition: form-data; ${rest}\r\n\r\n`);
    const end = Buffer.from('\r\n--x--\r\n');
    const sent = Buffer.concat([
      head('name="note"'),
      Buffer.from('text\r\n'),
      head('name="db"; filename="x.db"'),
      content,
      end,
    ]);
    const response = await post('upload', sent, { 'content-type': 'multipart/form-data; boundary=x' });
    expect(response.json?.obj).toEqual([{ field: 'db', name: 'x.db', sizeBytes: content.length }]);
  });

  test('a body that is not multipart is no upload; strangers leave nothing on the disk', async () => {
    expect((await post('upload', { db: 'x' })).json?.obj).toMatchObject({
      message: expect.stringContaining('multipart') as string,
    });
    const sent = new FormData();
    sent.append('db', new Blob(['x'.repeat(100_000)]), 'x.db');
    const stranger = await fetch(`${panel.listening.url}panel/api/test/upload`, { method: 'POST', body: sent });
    expect(stranger.status).toBe(404);
    expect(await readdir(uploadFolder)).toEqual([]);
  });
});
