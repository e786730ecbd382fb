import { unreachableWords } from '../i18n/refusal-words.ts';
import type { Retry } from '../stores/connection.ts';
import { noteChange } from '../ui/undo/last-change.ts';
import { CallError, type RawResponse, type RawRequest, type Transport } from './transport.ts';

const CSRF_PATH = 'csrf-token';
/** First delay before reconnecting; it doubles up to the last value. Milliseconds. */
const FIRST_WAIT_MS = 1_000;
const LAST_WAIT_MS = 15_000;
/**
 * A stream over which nothing has come for this long is dead: the panel sends its status every two seconds. A network
 * that is lost, or sleep, leaves a stream open for minutes, and a page that shows what is no longer so.
 */
const SILENT_MS = 30_000;
/** How many of its own request ids the page remembers: an echo arrives within a second. */
const OWN_IDS = 200;

/** `/` or `/prefix/`, as the panel wrote it into the page. */
export function readBasePath(): string {
  const written = document.querySelector<HTMLMetaElement>('meta[name="panel-base"]')?.content ?? '/';
  return written.startsWith('/__') ? '/' : written;
}

/** fetch and WebSocket to the origin this page came from. */
export function createBrowserTransport(basePath: string): Transport {
  let csrf: Promise<string> | null = null;
  const ownIds = new Set<string>();

  async function plain({ method, path, body, signal }: RawRequest, token: string | null): Promise<RawResponse> {
    const headers: Record<string, string> = { 'X-Requested-With': 'XMLHttpRequest' };
    // A form with a file names its own type and boundary.
    const isForm = body instanceof FormData;
    if (body !== undefined && !isForm) headers['Content-Type'] = 'application/json';
    if (token !== null) {
      headers['X-CSRF-Token'] = token;
      headers['X-Request-Id'] = remember();
    }
    let response: Response;
    try {
      response = await fetch(basePath + path.replace(/^\//, ''), {
        method,
        headers,
        credentials: 'same-origin',
        ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
        ...(signal === undefined ? {} : { signal }),
      });
    } catch (error) {
      if (signal?.aborted === true) throw error;
      throw new CallError('network', unreachableWords());
    }
    noteChange(path, response.headers.get('X-Journal-Entry'));
    return {
      status: response.status,
      errorCode: response.headers.get('X-Error-Code') ?? '',
      body: await response.json().catch(() => null),
    };
  }

  async function fetchToken(): Promise<string> {
    const response = await plain({ method: 'GET', path: CSRF_PATH }, null);
    return (response.body as { obj?: string } | null)?.obj ?? '';
  }
  /** A token that could not be fetched is not cached. */
  function token(): Promise<string> {
    csrf ??= fetchToken().catch((error: unknown) => {
      csrf = null;
      throw error;
    });
    return csrf;
  }

  function remember(): string {
    // `crypto.randomUUID` does not exist on plain http:// pages.
    const id = [...crypto.getRandomValues(new Uint8Array(12))]
      .map((byte) => byte.toString(16).padStart(2, '0'))
      .join('');
    ownIds.add(id);
    if (ownIds.size > OWN_IDS) ownIds.delete(ownIds.values().next().value ?? '');
    return id;
  }

  return {
    async send(request) {
      if (request.method === 'GET') return plain(request, null);
      const response = await plain(request, await token());
      // The token belongs to a session or a visitor: signing in or out elsewhere makes the cached one stale.
      if (response.status !== 403) {
        if (request.path === '/login' || request.path === '/logout') csrf = null;
        return response;
      }
      csrf = null;
      return plain(request, await token());
    },
    listen: (onMessage, onState) => openSocket(basePath, onMessage, onState),
    isOwnRequest: (requestId) => ownIds.has(requestId),
    fileUrl: (path) => basePath + path.replace(/^\//, ''),
  };
}

function openSocket(
  basePath: string,
  onMessage: (message: unknown) => void,
  onState: (isUp: boolean, retry?: Retry) => void,
) {
  let socket: WebSocket | null = null;
  let waitMs = FIRST_WAIT_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;
  const connect = (): void => {
    timer = undefined;
    const url = new URL(`${basePath}ws`, location.href);
    url.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
    const opened = new WebSocket(url);
    socket = opened;
    const lose = (): void => {
      if (socket !== opened) return;
      clearTimeout(silence);
      socket = null;
      // One attempt follows this one, by the timer or at once, however often it is asked for.
      const next = setTimeout(connect, waitMs);
      const tryNow = (): void => {
        if (timer !== next) return;
        clearTimeout(next);
        connect();
      };
      timer = next;
      onState(false, { atMs: Date.now() + waitMs, now: tryNow });
      waitMs = Math.min(waitMs * 2, LAST_WAIT_MS);
    };
    const hear = (): void => {
      clearTimeout(silence);
      silence = setTimeout(() => {
        // "close" would come only once the browser stops waiting for the other side.
        lose();
        opened.close();
      }, SILENT_MS);
    };
    hear();
    opened.addEventListener('open', () => {
      if (socket !== opened) return;
      hear();
      waitMs = FIRST_WAIT_MS;
      onState(true);
    });
    opened.addEventListener('message', ({ data }) => {
      if (socket !== opened) return;
      hear();
      if (typeof data === 'string') onMessage(JSON.parse(data) as unknown);
    });
    opened.addEventListener('close', lose);
  };
  connect();
  return () => {
    clearTimeout(timer);
    clearTimeout(silence);
    const last = socket;
    socket = null;
    last?.close();
  };
}
