import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import type { Link } from '../../connections/link.ts';
import { limitedBody } from '../../connections/limited-body.ts';
import type { PanelTarget } from '../messages.ts';
import { readCall } from '../reading/limited-call.ts';
import { plainText } from '../reading/tolerant.ts';

const READ = { ms: 30_000, idleMs: 15_000, bytes: 64 * 1024 * 1024 };
const WRITE_MS = 60_000;

/** A panel's refusal of a call. */
export class PanelRefusal extends Error {
  constructor(words: string) {
    super(plainText(words));
    this.name = 'PanelRefusal';
  }
}

/** The calls that jobs on a panel make. */
export interface PanelApi {
  readonly link: Link;
  /** @throws {ReadFailure} */
  get(path: string): Promise<unknown>;
  /** @throws {PanelRefusal} with the panel's own words */
  post(path: string, body: unknown, signal?: AbortSignal): Promise<unknown>;
  /** A response that is not JSON; `bytes` 0 = its length is unknown. @throws {PanelRefusal} */
  download(path: string, signal: AbortSignal): Promise<{ body: Readable; bytes: number }>;
  /** Sends one file as a form. @throws {PanelRefusal} */
  upload(path: string, file: Upload, signal: AbortSignal): Promise<unknown>;
}

export interface Upload {
  field: string;
  name: string;
  content: Readable;
  bytes: number;
}

export function createPanelApi(target: PanelTarget, link: Link): PanelApi {
  const isSession = target.kind === 'remote' && target.saved.signIn === 'session';

  /** A session's changes need this token. */
  async function proof(): Promise<Record<string, string>> {
    const common = { 'x-requested-with': 'XMLHttpRequest' };
    if (!isSession) return common;
    const token = await readCall(link, { path: '/panel/csrf-token' }, READ);
    return { ...common, 'x-csrf-token': typeof token === 'string' ? token.slice(0, 256) : '' };
  }

  async function send(path: string, type: string, bytes: number, body: Readable, signal: AbortSignal) {
    const headers = { ...(await proof()), 'content-type': type, 'content-length': String(bytes) };
    const response = await link.forward({ method: 'POST', path, headers, body, signal });
    return envelope(response.status, response.body);
  }

  return {
    link,
    get: (path) => readCall(link, { path }, READ),
    post(path, body, signal) {
      const text = Buffer.from(JSON.stringify(body));
      const limit = AbortSignal.timeout(WRITE_MS);
      const either = signal === undefined ? limit : AbortSignal.any([limit, signal]);
      return send(path, 'application/json', text.length, Readable.from([text]), either);
    },
    async download(path, signal) {
      const headers = { 'x-requested-with': 'XMLHttpRequest' };
      const response = await link.forward({ method: 'GET', path, headers, body: null, signal });
      const body = response.body instanceof Readable ? response.body : Readable.from([response.body]);
      const isJson = (response.headers['content-type'] ?? '').includes('json');
      if (response.status === 200 && !isJson)
        return { body, bytes: Number(response.headers['content-length'] ?? 0) || 0 };
      await envelope(response.status, body);
      throw new PanelRefusal('it answers something else than a file');
    },
    async upload(path, { field, name, content, bytes }, signal) {
      const mark = `----panel${crypto.randomUUID()}`;
      const head = Buffer.from(
        `--${mark}\r\ncontent-disposition: form-data; name="${field}"; filename="${name}"\r\n` +
          'content-type: application/octet-stream\r\n\r\n',
      );
      const tail = Buffer.from(`\r\n--${mark}--\r\n`);
      const body = Readable.from(
        (async function* whole() {
          yield head;
          yield* content as AsyncIterable<Buffer>;
          yield tail;
        })(),
      );
      return send(path, `multipart/form-data; boundary=${mark}`, head.length + bytes + tail.length, body, signal);
    },
  };
}

async function envelope(status: number, body: Readable | Buffer): Promise<unknown> {
  const read = (await json(limitedBody(body)).catch(() => null)) as {
    success?: unknown;
    msg?: unknown;
    obj?: unknown;
  } | null;
  if (status === 401 || status === 403) throw new PanelRefusal(`it refuses the sign-in (status ${status})`);
  if (status === 404) throw new PanelRefusal('it has no such call');
  if (read === null || typeof read.success !== 'boolean')
    throw new PanelRefusal(`it answers with status ${status} and no words`);
  if (!read.success) throw new PanelRefusal(typeof read.msg === 'string' && read.msg !== '' ? read.msg : 'it refuses');
  return read.obj;
}
