import { get } from 'node:http';
import * as z from 'zod';

/** Everything up to the counters of the users, which come last and may be megabytes. */
const MOST_CHARACTERS = 4 * 1024 * 1024;
const STATS = ',"stats":{';

const Count = z.number().catch(0).default(0);
const Observed = z.object({
  /** Zero values are left out by the core: a dead outbound has no `alive`. */
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
    PauseNs: z.array(z.number()).max(1024).catch([]).default([]),
  }),
  observatory: z.record(z.string(), Observed).nullish().catch(null),
});
export type DebugVars = z.infer<typeof DebugVars>;

/**
 * What the metrics listener of the core shows: memory and observatory. The listener is on this machine and has no
 * password.
 * @throws {Error} with a text for the operator
 */
export async function readDebugVars(listen: string, timeoutMs: number): Promise<DebugVars> {
  return DebugVars.parse(JSON.parse(await readHead(listen, timeoutMs)));
}

function readHead(listen: string, timeoutMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = get(`http://${listen}/debug/vars`, { agent: false, signal: AbortSignal.timeout(timeoutMs) });
    request.once('error', (error) => {
      reject(error.name === 'AbortError' || error.name === 'TimeoutError' ? new Error('no answer in time') : error);
    });
    request.once('response', (answer) => {
      if (answer.statusCode !== 200) {
        answer.destroy();
        reject(new Error(`HTTP ${answer.statusCode ?? 0}`));
        return;
      }
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (chunk: string) => {
        const from = Math.max(0, text.length - STATS.length);
        text += chunk;
        const end = text.indexOf(STATS, from);
        if (end >= 0) {
          answer.destroy();
          resolve(`${text.slice(0, end)}}`);
        } else if (text.length > MOST_CHARACTERS) {
          answer.destroy();
          reject(new Error('the answer is too large'));
        }
      });
      answer.once('end', () => resolve(text));
      answer.once('error', reject);
    });
  });
}
