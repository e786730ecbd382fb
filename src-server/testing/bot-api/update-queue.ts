import { Refused, type Refusal } from './sent-messages.ts';

interface Poll {
  respond: (updates: object[]) => void;
  end: (refusal: Refusal) => void;
}

/** Updates for the bot, and the long poll that waits for them: one at a time, with offsets. */
export function createUpdateQueue(counts: { polls: number; conflicts: number }) {
  let updates: { update_id: number }[] = [];
  let polling: Poll | null = null;
  let lastUpdateId = 500;

  function poll({ offset = 0, timeout = 0 }: { offset?: number; timeout?: number }): Promise<object[]> {
    if (polling !== null) {
      counts.conflicts += 1;
      polling.end({ status: 409, description: 'Conflict: terminated by other getUpdates request' });
    }
    counts.polls += 1;
    updates = updates.filter(({ update_id: id }) => id >= offset);
    if (updates.length > 0 || timeout === 0) return Promise.resolve(updates);
    return new Promise((resolve, reject) => {
      const over = (): void => {
        clearTimeout(timer);
        if (polling === mine) polling = null;
      };
      const timer = setTimeout(() => mine.respond([]), timeout * 1_000);
      const mine: Poll = {
        respond(found) {
          over();
          resolve(found);
        },
        end({ status, description }) {
          over();
          reject(new Refused(status, description));
        },
      };
      polling = mine;
    });
  }

  function push(update: object): number {
    const whole = { update_id: (lastUpdateId += 1), ...update };
    updates.push(whole);
    polling?.respond(updates);
    return whole.update_id;
  }

  return {
    poll,
    push,
    lastId: (): number => lastUpdateId,
    /** Delivers an update again, as when the API has not learned that it arrived. */
    repeat(update: object, id: number): void {
      updates.push({ update_id: id, ...update });
      polling?.respond(updates);
    },
    /** The poller has gone away. */
    abandonPoll: (): void => polling?.respond([]),
  };
}
