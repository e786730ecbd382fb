import type { IncomingMessage, ServerResponse } from 'node:http';

const timers = new WeakMap<IncomingMessage, NodeJS.Timeout>();

/**
 * Gives the body of a request `withinMs` to arrive completely, whether it is being read or the response was sent long
 * ago; then the connection ends. Responses may take as long as they need.
 */
export function startDeadline(request: IncomingMessage, response: ServerResponse, withinMs: number): void {
  const { headers } = request;
  if (headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0') return;
  const timer = setTimeout(() => {
    if (request.complete) return;
    if (!response.headersSent) response.writeHead(408, { Connection: 'close', 'Content-Length': 0 }).end();
    request.socket.destroySoon();
  }, withinMs);
  timers.set(request, timer);
  request.once('close', () => clearTimeout(timer));
}

/** For large uploads: only the absolute limit of the listener ends them. */
export function allowSlowBody(request: IncomingMessage): void {
  clearTimeout(timers.get(request));
}
