import type { IncomingMessage, ServerResponse } from 'node:http';

/** Up to this many announced bytes are read and discarded, so that the connection can be kept. */
const MAX_SKIPPED_BYTES = 64 * 1024;
/** How long the sender of a refused body may take to read the response, in ms. */
const LINGER_MS = 1_000;

/**
 * A response sent before a large body was read ends the connection: the rest is not read. The socket stays half open
 * and unread for a moment, since closing it at once would reset it and discard the response on its way.
 */
export function endAtUnreadBody(request: IncomingMessage, response: ServerResponse): void {
  const { headers, socket } = request;
  const isChunked = headers['transfer-encoding'] !== undefined;
  if (!isChunked && Number(headers['content-length'] ?? 0) <= MAX_SKIPPED_BYTES) return;
  const isKept = response.shouldKeepAlive;
  response.shouldKeepAlive = false;
  request.once('end', () => (response.shouldKeepAlive = isKept));
  const destroySoon = socket.destroySoon.bind(socket);
  socket.destroySoon = () => {
    if (request.complete) return destroySoon();
    socket.pause();
    socket.end();
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };
}

/** Tells a client that waits (`Expect: 100-continue`) to send its body, once its length has been accepted. */
export function takeBody(request: IncomingMessage, response: ServerResponse): void {
  if (request.headers.expect?.toLowerCase() === '100-continue' && !response.headersSent) response.writeContinue();
}
