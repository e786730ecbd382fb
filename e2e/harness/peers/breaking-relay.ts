import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listening, portOf } from '../../../src-server/testing/peers/local-server.ts';

/** What happens to a response on its way. */
export type Breakage = 'whole' | 'cut' | 'page' | 'empty' | 'noNumbers' | 'older';

/** Calls that change the panel's data. */
const CHANGE = /\/(?:clients\/(?:add|update|bulk\w+|del|[^/]+\/(?:attach|detach))|inbounds\/(?:add|update|del))\b/;

/** A relay to a panel that damages its lists of inbounds and loses responses to changes; everything else passes. */
export async function startBreakingRelay(panelUrl: string) {
  let breakages: Breakage[] = [];
  let lost = 0;
  let isCut = false;
  let last: { headers: IncomingMessage['headers']; body: Buffer } | null = null;

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '', headers } = request;
    const { host: _host, 'if-none-match': _known, ...others } = headers;
    const outgoing = httpRequest(new URL(url, panelUrl), { method, headers: others });
    request.pipe(outgoing);
    const [reply] = (await once(outgoing, 'response')) as [IncomingMessage];
    const {
      'transfer-encoding': _chunks,
      connection: _connection,
      'content-length': _length,
      ...forwardedHeaders
    } = reply.headers;
    const body = await buffer(reply);
    if (lost > 0 && CHANGE.test(url)) {
      lost -= 1;
      return void request.socket.destroy();
    }
    const status = reply.statusCode ?? 502;
    const breakage = url.endsWith('inbounds/list') && status === 200 ? (breakages.shift() ?? 'whole') : 'whole';
    const send = (sent: Buffer | string, others: object = forwardedHeaders) =>
      void response.writeHead(status, { ...others }).end(sent);
    if (breakage === 'cut') {
      response.writeHead(status, { ...forwardedHeaders, 'content-length': body.length });
      response.write(body.subarray(0, body.length >> 1), () => response.destroy());
    } else if (breakage === 'page') send('<html>Bad gateway</html>', { 'content-type': 'text/html' });
    else if (breakage === 'empty') send(JSON.stringify({ success: true, msg: '', obj: [] }));
    else if (breakage === 'noNumbers') send(body.toString().replaceAll(/"(up|down)":\d+/g, '"$1":null'));
    else if (breakage === 'older' && last !== null) send(last.body, last.headers);
    else {
      if (url.endsWith('inbounds/list')) last = { headers: forwardedHeaders, body };
      send(body);
    }
  }

  const server = createServer((request, response) => {
    if (isCut) request.socket.destroy();
    else pass(request, response).catch(() => request.socket.destroy());
  });
  await listening(server);
  return {
    port: portOf(server),
    /** The next lists are damaged like this, one after the other. */
    breakNext: (next: readonly Breakage[]): void => void (breakages = [...next]),
    /** The responses to the next changes are lost: the panel has made the changes. */
    loseNext: (count: number): void => void (lost = count),
    /** Blocks everything from now on, or lets everything pass again. */
    cut(isFromNow: boolean): void {
      isCut = isFromNow;
      if (isFromNow) server.closeAllConnections();
    },
    /** How many damaged lists are still pending. */
    left: (): number => breakages.length,
    async close(): Promise<void> {
      server.close();
      server.closeAllConnections();
    },
  };
}
export type BreakingRelay = Awaited<ReturnType<typeof startBreakingRelay>>;
