import { Readable } from 'node:stream';
import { certificateTrouble } from '../../connections/checked-agent.ts';
import type { Link } from '../../connections/link.ts';
import type { PanelState } from '../../bridge/panels.ts';

/** Time and size limits of a call. */
export interface Limits {
  ms: number;
  /** Longest pause within the response; absent = only the total counts. */
  idleMs?: number;
  bytes: number;
}

/** State of a panel after a failed call. `absent`: it answers, but has no such call. */
export type Trouble = Exclude<PanelState, 'waiting' | 'ok' | 'stopped'> | 'absent';

export class ReadFailure extends Error {
  readonly trouble: Trouble;
  constructor(trouble: Trouble, message: string) {
    super(message);
    this.name = 'ReadFailure';
    this.trouble = trouble;
  }
}

interface CallRequest {
  method?: 'GET' | 'POST';
  path: string;
  /** Token that a session's changes need. */
  csrfToken?: string;
}

/** A kept-alive connection that the other end had closed. */
const WORN_OUT = new Set(['ECONNRESET', 'EPIPE']);

/**
 * Sends one call and passes the response on, piece by piece. Time and size are limited here: a panel that hangs, drips
 * or floods costs only its own turn.
 * @throws {ReadFailure}
 */
export async function streamCall(
  link: Link,
  request: CallRequest,
  limits: Limits,
  take: (piece: Buffer) => void,
): Promise<void> {
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(new Error(`no whole answer within ${limits.ms / 1000} s`)), limits.ms);
  try {
    await exchange(link, request, limits, ending, take);
  } catch (error) {
    throw error instanceof ReadFailure ? error : failureOf(ending.signal.aborted ? ending.signal.reason : error);
  } finally {
    clearTimeout(timer);
    // The rest of the response is not read.
    ending.abort();
  }
}

async function exchange(
  link: Link,
  request: CallRequest,
  { bytes: maxBytes, idleMs }: Limits,
  ending: AbortController,
  take: (piece: Buffer) => void,
): Promise<void> {
  let idle: NodeJS.Timeout | undefined;
  const wait = (): void => {
    clearTimeout(idle);
    if (idleMs !== undefined) idle = setTimeout(() => ending.abort(new Error('it stopped answering')), idleMs);
  };
  wait();
  ending.signal.addEventListener('abort', () => clearTimeout(idle), { once: true });
  const response = await sendOnce(link, request, ending.signal);
  const { body } = response;
  if (!(body instanceof Readable)) return take(body);
  // A call that we end fails here, whether or not the response is being read at that moment.
  body.on('error', () => undefined);
  const end = (): void => void body.destroy(new Error('ended'));
  ending.signal.addEventListener('abort', end, { once: true });
  const refused = refusalOf(response.status);
  if (refused !== null) throw refused;
  let bytes = 0;
  for await (const piece of body) {
    bytes += (piece as Buffer).length;
    if (bytes > maxBytes) throw new ReadFailure('wrong', `it answers more than ${Math.round(maxBytes / 1024)} KiB`);
    take(piece as Buffer);
    wait();
  }
}

async function sendOnce(link: Link, { method = 'GET', path, csrfToken }: CallRequest, signal: AbortSignal) {
  const send = () =>
    link.forward({
      method,
      path,
      headers: {
        'x-requested-with': 'XMLHttpRequest',
        ...(method === 'GET' ? {} : { 'content-type': 'application/json', 'content-length': '2' }),
        ...(csrfToken === undefined ? {} : { 'x-csrf-token': csrfToken }),
      },
      body: method === 'GET' ? null : Readable.from([Buffer.from('{}')]),
      signal,
    });
  try {
    return await send();
  } catch (error) {
    if (signal.aborted || !WORN_OUT.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return await send();
  }
}

function refusalOf(status: number): ReadFailure | null {
  if (status === 200) return null;
  const words = `it answers with status ${status}`;
  if (status === 401 || status === 403) return new ReadFailure('refused', words);
  if (status === 404 || status === 405) return new ReadFailure('absent', words);
  // A reverse proxy whose panel is down.
  return new ReadFailure(status >= 500 ? 'down' : 'wrong', words);
}

function failureOf(error: unknown): ReadFailure {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return new ReadFailure(certificateTrouble(error) ?? 'down', message || code);
}

/**
 * The whole response to a call that fits into memory: `obj` of its envelope.
 * @throws {ReadFailure} also for a response that is not an envelope, or that is a refusal
 */
export async function readCall(link: Link, request: CallRequest, limits: Limits): Promise<unknown> {
  const pieces: Buffer[] = [];
  await streamCall(link, request, limits, (piece) => pieces.push(piece));
  let envelope: unknown;
  try {
    envelope = JSON.parse(Buffer.concat(pieces).toString());
  } catch {
    throw new ReadFailure('wrong', 'what it answers is no JSON');
  }
  const { success, msg, obj } = (envelope ?? {}) as { success?: unknown; msg?: unknown; obj?: unknown };
  if (typeof success !== 'boolean') throw new ReadFailure('wrong', 'what answers there is no panel');
  if (!success) throw new ReadFailure('absent', typeof msg === 'string' ? msg.slice(0, 200) : '');
  return obj;
}
