import { Readable } from 'node:stream';
import type { JobMessage } from '../../bridge/jobs.ts';
import { certificateTrouble } from '../../connections/checked-agent.ts';
import type { Link } from '../../connections/link.ts';
import { readCall, ReadFailure, streamCall, type Limits } from '../reading/limited-call.ts';
import { plainText } from '../reading/tolerant.ts';
import { JobFailure } from './job-failure.ts';

const READ = { ms: 60_000, bytes: 64 * 1024 * 1024 };
/** A change may restart the panel's core. */
const CHANGE = { ms: 120_000, bytes: 16 * 1024 * 1024 };

/** What a change carries. */
type Body = { json: unknown } | { form: Record<string, string> };

/** Calls to one panel with its saved sign-in. Every failure is a {@link JobFailure}. */
export interface PanelCalls {
  get(path: string): Promise<unknown>;
  /** Null when the panel refuses, or has no such call. */
  getOrNone(path: string): Promise<unknown>;
  /** Whether the panel has this read call, whatever it answers. */
  has(path: string): Promise<boolean>;
  /** A list, split into its elements while it arrives. */
  stream(path: string, limits: Limits, take: (piece: Buffer) => void): Promise<void>;
  post(path: string, json?: unknown): Promise<unknown>;
  form(path: string, fields: Record<string, string>): Promise<unknown>;
  readonly link: Link;
  /** @returns whether the panel's machine accepts connections there; null: the panel is reached at another address */
  readonly host: string | null;
  close(): void;
}

/** @param host of the panel's machine, as this computer reaches it */
export function createPanelCalls(link: Link, isSession: boolean, host: string | null): PanelCalls {
  let csrfToken: Promise<string> | null = null;
  const token = (): Promise<string> =>
    (csrfToken ??= isSession
      ? readCall(link, { path: '/panel/csrf-token' }, READ).then(String, () => '')
      : Promise.resolve(''));

  async function change(path: string, body: Body): Promise<unknown> {
    try {
      return await send(path, body);
    } catch (error) {
      throw toFailure(error);
    }
  }

  async function send(path: string, body: Body): Promise<unknown> {
    const isJson = 'json' in body;
    const text = isJson ? JSON.stringify(body.json ?? {}) : new URLSearchParams(body.form).toString();
    const bytes = Buffer.from(text);
    const response = await link.forward({
      method: 'POST',
      path,
      headers: {
        'x-requested-with': 'XMLHttpRequest',
        'content-type': isJson ? 'application/json' : 'application/x-www-form-urlencoded',
        'content-length': String(bytes.length),
        'x-csrf-token': await token(),
      },
      body: Readable.from([bytes]),
      signal: AbortSignal.timeout(CHANGE.ms),
    });
    return obj(response.status, await whole(response.body));
  }

  const read = async (work: Promise<unknown>): Promise<unknown> => {
    try {
      return await work;
    } catch (error) {
      throw toFailure(error);
    }
  };
  const get = (path: string): Promise<unknown> => read(readCall(link, { path }, READ));
  return {
    link,
    host,
    get,
    async getOrNone(path) {
      try {
        return await get(path);
      } catch (error) {
        if (error instanceof JobFailure && ['absent', 'panelSays'].includes(error.detail.code)) return null;
        throw error;
      }
    },
    async has(path) {
      try {
        await get(path);
        return true;
      } catch (error) {
        if (error instanceof JobFailure && error.detail.code === 'absent') return false;
        if (error instanceof JobFailure && error.detail.code === 'panelSays') return true;
        throw error;
      }
    },
    stream: async (path, limits, take) => void (await read(streamCall(link, { path }, limits, take))),
    post: (path, json) => change(path, { json }),
    form: (path, form) => change(path, { form }),
    close: () => link.close(),
  };
}

async function whole(body: Readable | Buffer): Promise<string> {
  if (!(body instanceof Readable)) return body.toString();
  body.on('error', () => undefined);
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of body) {
    bytes += (piece as Buffer).length;
    if (bytes > CHANGE.bytes) throw new ReadFailure('wrong', 'it answers too much');
    pieces.push(piece as Buffer);
  }
  return Buffer.concat(pieces).toString();
}

/** @throws {ReadFailure | JobFailure} for anything but a successful envelope */
function obj(status: number, text: string): unknown {
  if (status === 401 || status === 403) throw new ReadFailure('refused', `it answers with status ${status}`);
  if (status === 404 || status === 405) throw new ReadFailure('absent', '');
  let envelope: { success?: unknown; msg?: unknown; obj?: unknown };
  try {
    envelope = (JSON.parse(text) ?? {}) as typeof envelope;
  } catch {
    throw new ReadFailure(status >= 500 ? 'down' : 'wrong', `it answers with status ${status}`);
  }
  if (envelope.success === true) return envelope.obj;
  if (envelope.success !== false) throw new ReadFailure('wrong', `it answers with status ${status}`);
  throw new JobFailure('panelSays', { words: wordsOf(envelope) });
}

/** A panel's reason for a refusal; for a form, the first field's message, which helps more. */
function wordsOf({ msg, obj: details }: { msg?: unknown; obj?: unknown }): string {
  const message = typeof msg === 'string' ? plainText(msg) : '';
  const issues = (details as { issues?: unknown } | null | undefined)?.issues;
  const [first] = Array.isArray(issues) ? (issues as { field?: unknown; path?: unknown; message?: unknown }[]) : [];
  if (first === undefined) return message;
  const field = first.field ?? (Array.isArray(first.path) ? first.path.join('.') : first.path);
  const complaint = [field, first.message].filter((part) => typeof part === 'string').join(' ');
  return complaint === '' || message.includes(complaint) ? message : `${message} ${plainText(complaint)}`.trim();
}

/** Sanitised like all shown texts. */
export function toFailure(error: unknown): JobFailure {
  if (error instanceof JobFailure) return error;
  if (error instanceof ReadFailure) {
    const words = plainText(error.message);
    // The panel refused a read in its own words.
    if (error.trouble === 'absent' && words !== '' && !words.startsWith('it answers'))
      return failure('panelSays', words);
    return failure(error.trouble, words);
  }
  const { code = '', message } = error as NodeJS.ErrnoException;
  return failure(certificateTrouble(error) ?? 'down', plainText(message || code));
}

const failure = (code: JobMessage['code'], words: string): JobFailure => new JobFailure(code, { words });
