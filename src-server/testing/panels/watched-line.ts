import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { listening } from '../peers/local-server.ts';

/** Calls of every poll, whether or not there is something to deliver. */
const READS = new Set([
  'server/status',
  'inbounds/list',
  'clients/onlinesByGuid',
  'server/descendants',
  'clients/clientIpsByGuid',
  'clients/activeInbounds',
]);
/** Calls repeated all the time, whether or not there is news. */
const PUSH = 'inbounds/pushClientTraffics';

export interface LineOptions {
  /** Where the panel behind it listens. */
  panelUrl: () => string;
  panelGuid: string;
  /** It is reached over TLS, and shows this. */
  certificate?: { certPem: string; keyPem: string } | undefined;
}

/** A line to a panel that can be watched, delayed and cut. */
export async function openWatchedLine({ panelUrl, panelGuid, certificate }: LineOptions) {
  /** Incoming calls, as `POST clients/add`, except those of every poll. */
  const calls: string[] = [];
  /** Status of each response to the list of inbounds: 200 or 304. */
  const lists: number[] = [];
  /** Incoming bodies as they were sent; empty encoding = plain. */
  const bodies: { path: string; encoding: string; bytes: number }[] = [];
  let heard = 0;
  const line = {
    isUp: true,
    guid: panelGuid,
    held: null as { path: string; reached: () => void; release: Promise<void> } | null,
    given: new Map<string, unknown>(),
    /** Path whose next response does not arrive. */
    lost: '',
    /** Path whose next call is refused, and not carried out. */
    refused: '',
    /** Receives the next response to `inbounds/list`. */
    keep: null as ((response: Passed) => void) | null,
    /** Earlier responses to it that are sent once more. */
    again: [] as Passed[],
  };

  async function pass(request: IncomingMessage): Promise<Passed> {
    const path = (request.url ?? '').replace('/panel/api/', '');
    if (!READS.has(path) && !path.startsWith('hosts/byInbound/') && path !== PUSH)
      calls.push(`${request.method} ${path}`);
    const { 'content-encoding': encoding = '', 'content-length': bytes = 0 } = request.headers;
    if (Number(bytes) > 0) bodies.push({ path, encoding, bytes: Number(bytes) });
    if (path === line.refused) {
      line.refused = '';
      return json({ success: false, msg: 'not now', obj: null });
    }
    const earlier = path === 'inbounds/list' ? line.again.shift() : undefined;
    if (earlier !== undefined) return earlier;
    const given = line.given.get(path);
    if (given !== undefined) {
      line.given.delete(path);
      return json({ success: true, msg: '', obj: given });
    }
    const response = await forward(panelUrl(), request);
    if (path === 'inbounds/list') lists.push(response.status);
    if (path === 'inbounds/list' && response.status === 200) {
      line.keep?.(response);
      line.keep = null;
    }
    if (path === line.lost) {
      line.lost = '';
      throw new Error('lost on the way');
    }
    const { held } = line;
    if (held?.path === path) {
      line.held = null;
      held.reached();
      await held.release;
    }
    return path === 'server/status' && line.guid !== panelGuid ? withGuid(response, line.guid) : response;
  }

  const respond = (request: IncomingMessage, response: ServerResponse): void => {
    heard += 1;
    if (!line.isUp) {
      request.socket.destroy();
      return;
    }
    pass(request).then(
      ({ status, headers, body }) => response.writeHead(status, headers).end(body),
      () => request.socket.destroy(),
    );
  };
  const outside =
    certificate === undefined
      ? createServer(respond)
      : createTlsServer({ cert: certificate.certPem, key: certificate.keyPem }, respond);
  const port = await listening(outside);

  return {
    port,
    calls,
    lists,
    bodies,
    /** Requests that have reached it, answered or not. */
    heard: (): number => heard,
    /** The node reports another GUID from now on, as another panel does. */
    setGuid: (guid: string): void => void (line.guid = guid),
    /** Whether the node can be reached. */
    setUp: (isUp: boolean): void => void (line.isUp = isUp),
    /** The next response to `path` is made and then held back. @returns when it is made, and how to release it */
    hold(path: string): { reached: Promise<void>; release: () => void } {
      const made = Promise.withResolvers<void>();
      const free = Promise.withResolvers<void>();
      line.held = { path, reached: made.resolve, release: free.promise };
      return { reached: made.promise, release: free.resolve };
    },
    /** The next call of `path` is carried out, and its response gets lost. */
    loseResponse: (path: string): void => void (line.lost = path),
    /** The node refuses the next call of `path`. */
    refuse: (path: string): void => void (line.refused = path),
    /** The next response to `inbounds/list` is kept, to be sent once more. */
    keepResponse(): { giveAgain: (isOrdered: boolean) => void } {
      let kept: Passed | undefined;
      line.keep = (response) => void (kept = response);
      return {
        giveAgain(isOrdered) {
          if (kept === undefined) throw new Error('no response was kept');
          const { 'x-answer-order': _order, ...unordered } = kept.headers;
          line.again.push(isOrdered ? kept : { ...kept, headers: unordered });
        },
      };
    },
    /** The next call of `path` gets this result instead of the node's. */
    respondOnce(path: string, result: unknown): { isUsed: () => boolean } {
      line.given.set(path, result);
      return { isUsed: () => !line.given.has(path) };
    },
    close: (): void => {
      outside.close();
      outside.closeAllConnections();
    },
  };
}

interface Passed {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

const json = (body: object): Passed => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(body)),
});

/** Its own report, under another GUID. */
function withGuid(response: Passed, panelGuid: string): Passed {
  const report = JSON.parse(response.body.toString()) as { obj: object };
  return json({ ...report, obj: { ...report.obj, panelGuid } });
}

/** The response is read to its end: one held back afterwards is what the panel knew at this moment. */
async function forward(panelUrl: string, request: IncomingMessage): Promise<Passed> {
  const { method = 'GET', url = '', headers } = request;
  const { host: _host, ...others } = headers;
  const outgoing = httpRequest(new URL(url, panelUrl), { method, headers: others });
  request.pipe(outgoing);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  const { 'transfer-encoding': _chunks, connection: _connection, ...forwarded } = response.headers;
  return {
    status: response.statusCode ?? 0,
    headers: forwarded as Record<string, string>,
    body: await buffer(response),
  };
}
