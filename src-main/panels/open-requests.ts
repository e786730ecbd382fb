import type { FromPanels, PanelsRequests, Verb } from './messages.ts';

const RESPONSE_LIMIT_MS = 30_000;
/** Copying a line may restart a core. */
const CHANGE_LIMIT_MS = 130_000;

/** Requests that the process which reads panels has not answered yet. */
export function createOpenRequests() {
  const requests = new Map<number, { succeed: (value: unknown) => void; fail: (error: Error) => void }>();
  let lastRequest = 0;

  return {
    /** @param send sends the request under this id. @throws {Error} when it fails, or is not answered in time */
    open<V extends Verb>(verb: V, send: (id: number) => void): Promise<PanelsRequests[V]['result']> {
      const id = (lastRequest += 1);
      return new Promise((resolve, reject) => {
        const timer = setTimeout(
          () => {
            requests.delete(id);
            reject(new Error('the process that reads panels does not answer'));
          },
          verb === 'takeLine' ? CHANGE_LIMIT_MS : RESPONSE_LIMIT_MS,
        );
        requests.set(id, {
          succeed: (value) => {
            clearTimeout(timer);
            resolve(value as PanelsRequests[V]['result']);
          },
          fail: (error) => {
            clearTimeout(timer);
            reject(error);
          },
        });
        send(id);
      });
    },
    /** The process answered a request, or failed to; one that is not open any more is ignored. */
    take(message: Extract<FromPanels, { type: 'response' | 'failure' }>): void {
      const request = requests.get(message.id);
      requests.delete(message.id);
      if (message.type === 'response') request?.succeed(message.result);
      else request?.fail(new Error(message.text));
    },
    /** The process ended: nothing of what is open will be answered. */
    failAll(): void {
      for (const { fail } of requests.values()) fail(new Error('the process that reads panels ended'));
      requests.clear();
    },
  };
}
