import { text } from 'node:stream/consumers';
import type { Link } from '../connections/link.ts';
import { limitedBody } from '../connections/limited-body.ts';

/** First delay before reconnecting; it doubles up to the last value. Milliseconds. */
const FIRST_WAIT_MS = 500;
const LAST_WAIT_MS = 15_000;
/** How often figures are polled where there is no live stream. */
const POLL_MS = 2_000;
const POLL_LIMIT_MS = 10_000;
/** How often the stream is tested: on a network that went away it stays open, and nothing comes any more. */
const PING_MS = 20_000;
const STATUS = '/panel/api/server/status';

/** `polling`: the panel offers no live stream to this sign-in; figures are polled instead. */
export type LiveState = 'up' | 'down' | 'polling';

interface RelayListener {
  /** @param text of the message, for forwarding: transferring a text costs a tenth of transferring an object */
  message: (message: object, text: string) => void;
  state: (state: LiveState) => void;
}

/**
 * Keeps the live stream of the connected panel open and forwards its messages. Anything else is dropped.
 * @param pingMs absent = the production value
 */
export function createRelay(on: RelayListener, pingMs = PING_MS) {
  let link: Link | null = null;
  let current: LiveState = 'down';
  let timer: NodeJS.Timeout | undefined;
  let waitMs = FIRST_WAIT_MS;
  /** Incremented by every attempt: events of an older one are ignored. */
  let attempt = 0;
  let end = (): void => undefined;

  function setState(state: LiveState): void {
    if (state === current) return;
    current = state;
    on.state(state);
  }

  function pass(text: string): void {
    const message = parse(text);
    if (typeof message === 'object' && message !== null) on.message(message, text);
  }

  function retry(mine: number): void {
    if (mine !== attempt) return;
    setState('down');
    timer = setTimeout(() => void connect(), waitMs);
    waitMs = Math.min(waitMs * 2, LAST_WAIT_MS);
  }

  async function connect(): Promise<void> {
    clearTimeout(timer);
    end();
    end = () => undefined;
    const mine = (attempt += 1);
    if (link === null) return;
    try {
      const socket = await link.openStream();
      // "close" follows every error; closing a socket that is still connecting is one, too.
      socket?.on('error', () => undefined);
      if (mine !== attempt) return socket?.terminate();
      if (socket === null) return await poll(mine, link);
      end = () => socket.terminate();
      const open = link;
      let isAlive = true;
      let pings: NodeJS.Timeout | undefined;
      socket.on('open', () => {
        waitMs = FIRST_WAIT_MS;
        setState('up');
        pings = setInterval(() => {
          if (!isAlive) {
            open.renew();
            return socket.terminate();
          }
          isAlive = false;
          socket.ping();
        }, pingMs);
      });
      socket.on('pong', () => (isAlive = true));
      socket.once('close', () => clearInterval(pings));
      socket.on('message', (data, isBinary) => {
        isAlive = true;
        if (mine === attempt && !isBinary) pass((data as Buffer).toString());
      });
      socket.on('close', () => retry(mine));
    } catch {
      retry(mine);
    }
  }

  async function poll(mine: number, panel: Link): Promise<void> {
    const signal = AbortSignal.timeout(POLL_LIMIT_MS);
    const response = await panel.forward({ method: 'GET', path: STATUS, headers: {}, body: null, signal });
    const body = await text(limitedBody(response.body));
    if (mine !== attempt) return;
    if (response.status !== 200) return retry(mine);
    waitMs = FIRST_WAIT_MS;
    setState('polling');
    const { obj } = (parse(body) ?? {}) as { obj?: unknown };
    // By the panel's clock, as in the messages of a stream.
    const time = Date.parse(response.headers['date'] ?? '') || Date.now();
    pass(JSON.stringify({ type: 'status', data: obj, time }));
    timer = setTimeout(() => void poll(mine, panel).catch(() => retry(mine)), POLL_MS);
  }

  function again(): void {
    waitMs = FIRST_WAIT_MS;
    // Missed messages are not replayed: the page refetches when the stream comes up after it was down.
    setState('down');
    void connect();
  }

  return {
    /** Follows another panel from now on. */
    follow(next: Link): void {
      link = next;
      waitMs = FIRST_WAIT_MS;
      setState('down');
      void connect();
    },
    /** Connects again at once: after a sign-in, or when the panel runs again. */
    again,
    /** The machine woke up, or its network came back. */
    wake(): void {
      link?.renew();
      again();
    },
    state: (): LiveState => current,
    close(): void {
      link = null;
      attempt += 1;
      clearTimeout(timer);
      end();
    },
  };
}
export type Relay = ReturnType<typeof createRelay>;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
