import { DialError } from './dial-error.ts';

/** One time limit over several steps, combined with the caller's own signal. */
export function createDeadline(timeoutMs: number, caller?: AbortSignal) {
  const controller = new AbortController();
  let isTimedOut = false;
  const timer = setTimeout(() => {
    isTimedOut = true;
    controller.abort();
  }, timeoutMs);
  const giveUp = () => controller.abort();
  if (caller?.aborted === true) giveUp();
  caller?.addEventListener('abort', giveUp, { once: true });
  return {
    signal: controller.signal,
    /** Names the time limit or the caller as the reason when one of them ended the work. */
    explain(error: unknown): unknown {
      if (caller?.aborted === true) return new DialError('aborted', 'given up', { cause: error });
      if (isTimedOut) return new DialError('timeout', `no answer within ${timeoutMs / 1000} s`, { cause: error });
      if (error instanceof DialError) return error;
      const text = error instanceof Error ? error.message : String(error);
      return new DialError('connect', text, { cause: error });
    },
    close(): void {
      clearTimeout(timer);
      caller?.removeEventListener('abort', giveUp);
    },
  };
}

/** Work that ends at a time limit, or when the caller gives up. @throws {DialError} naming which of them ended it */
export async function withDeadline<T>(
  { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal | undefined },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = createDeadline(timeoutMs, signal);
  try {
    return await work(deadline.signal);
  } catch (error) {
    throw deadline.explain(error);
  } finally {
    deadline.close();
  }
}
