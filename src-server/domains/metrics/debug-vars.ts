import { Agent, get, type IncomingMessage } from 'node:http';
import * as z from 'zod';

/** Everything up to the user counters, which come last and may be megabytes. */
const MAX_CHARACTERS = 4 * 1024 * 1024;
const STATS = ',"stats":{';
/** A shorter remainder of the response is read, too, so that the connection can be reused. */
const MAX_REST_CHARACTERS = 256 * 1024;

const Count = z.number().catch(0).default(0);
const Observed = z.object({
  /** The core omits zero values: a dead outbound has no `alive`. */
  alive: z.boolean().catch(false).default(false),
  delay: Count,
  outbound_tag: z.string().catch('').default(''),
  last_error_reason: z.string().catch('').default(''),
  last_seen_time: Count,
  last_try_time: Count,
  /** Burst observatory only; nanoseconds. */
  health_ping: z.object({ all: Count, fail: Count, average: Count }).nullish().catch(null),
});
export type Observed = z.infer<typeof Observed>;

const DebugVars = z.object({
  memstats: z.object({
    HeapAlloc: Count,
    Sys: Count,
    HeapObjects: Count,
    NumGC: Count,
    /**
     * Read every two seconds, but only one value is used: validating each of the 256 would cost more than all the rest.
     */
    PauseNs: z.custom<readonly unknown[]>(Array.isArray).catch([]).default([]),
  }),
  observatory: z.record(z.string(), Observed).nullish().catch(null),
});
export type DebugVars = z.infer<typeof DebugVars>;

/**
 * Reads a core's metrics listener, which is on this machine and has no password. One connection for all readings:
 * opening one costs several times as much as a reading.
 */
export function createDebugVarsReader() {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 1 });
  return {
    /** Reads memory and observatory. @throws {Error} with a text for the operator */
    read: async (listen: string, timeoutMs: number): Promise<DebugVars> =>
      DebugVars.parse(JSON.parse(await readHead(agent, listen, timeoutMs))),
    close: (): void => agent.destroy(),
  };
}

function readHead(agent: Agent, listen: string, timeoutMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = get(`http://${listen}/debug/vars`, { agent });
    const deadline = setTimeout(() => {
      reject(new Error('no answer in time'));
      request.destroy();
    }, timeoutMs);
    request.once('close', () => clearTimeout(deadline));
    request.on('error', reject);
    request.once('response', (response) => {
      response.on('error', reject);
      if (response.statusCode !== 200) {
        response.destroy();
        reject(new Error(`HTTP ${response.statusCode ?? 0}`));
        return;
      }
      let text = '';
      response.setEncoding('utf8');
      response.on('data', function take(chunk: string) {
        const from = Math.max(0, text.length - STATS.length);
        text += chunk;
        const end = text.indexOf(STATS, from);
        if (end >= 0) {
          response.off('data', take);
          resolve(`${text.slice(0, end)}}`);
          endSoon(response);
        } else if (text.length > MAX_CHARACTERS) {
          response.destroy();
          reject(new Error('the answer is too large'));
        }
      });
      response.once('end', () => resolve(text));
    });
  });
}

/** Reads a short remainder, and drops a long one together with its connection. */
function endSoon(response: IncomingMessage): void {
  let restCharacters = 0;
  response.on('data', (chunk: string) => {
    restCharacters += chunk.length;
    if (restCharacters > MAX_REST_CHARACTERS) response.destroy();
  });
}
