import { HttpError, type Api, type Transformer } from 'grammy';
import type { Schedule } from '../../../contract/schedule.ts';
import { DialError } from '../../../net/dial-error.ts';
import { pause } from './pause.ts';

const TRIES = 3;
/** Longest requested wait that is honoured, in seconds. */
const LONGEST_WAIT_S = 60;
/** As the library declares it: by the interface of a package that older versions of Node needed. */
type CallSignal = NonNullable<Parameters<Api['getMe']>[0]>;
export const callSignal = (signal: AbortSignal): CallSignal => signal as unknown as CallSignal;

/** Calls that their caller repeats. */
const REPEATED: ReadonlySet<string> = new Set(['getMe', 'getUpdates', 'setWebhook', 'deleteWebhook']);

/** Retries calls that failed to connect or that the server asks to delay. All end with `signal`, and with their own. */
export function retrying(schedule: Schedule, signal: AbortSignal): Transformer {
  return async (call, method, payload, given) => {
    const limit = given === undefined ? signal : AbortSignal.any([signal, given as unknown as AbortSignal]);
    for (let attempt = 1; ; attempt += 1) {
      const isLast = attempt === TRIES || REPEATED.has(method);
      let delayMs = attempt * 1_000;
      try {
        const response = await call(method, payload, callSignal(limit));
        if (response.ok || response.error_code !== 429 || isLast) return response;
        const waitS = response.parameters?.retry_after ?? 1;
        if (waitS > LONGEST_WAIT_S) return response;
        delayMs = waitS * 1_000;
      } catch (error) {
        if (isLast || limit.aborted || !isUnconnected(error)) throw error;
      }
      await pause(schedule, delayMs, limit);
      limit.throwIfAborted();
    }
  };
}

function isUnconnected(error: unknown): boolean {
  const cause = error instanceof HttpError ? error.error : error;
  return cause instanceof DialError && (cause.code === 'connect' || cause.code === 'unresolved');
}
