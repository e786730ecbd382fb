import { PermanentFailure, type Channel, type StoredEvent } from '../events/channel.ts';
import type { EventKind } from '../events/contract.ts';
import type { WebhookRow } from './repository.ts';
import type { Send } from './sender.ts';

/** Statuses that mean a permanent refusal; anything else may change. */
const FINAL = new Set([400, 405, 410, 413, 415, 422]);

/**
 * The channel of one webhook.
 * @param current its present settings; undefined = deleted
 */
export function webhookChannel(
  id: number,
  current: () => { row: WebhookRow; kinds: readonly EventKind[] } | undefined,
  send: Send,
): Channel {
  return {
    name: `webhook:${id}`,
    wants({ kind, facts }) {
      const hook = current();
      if (hook === undefined || hook.row.enabled === 0 || !hook.kinds.includes(kind)) return false;
      const { cpuPercent } = hook.row;
      return kind !== 'cpu.high' || (cpuPercent > 0 && Number(facts['percent']) > cpuPercent);
    },
    async deliver(event, signal) {
      const hook = current();
      if (hook === undefined) throw new PermanentFailure('deleted');
      const message = { body: bodyOf(event), eventId: event.id, kind: event.kind };
      const { status, error, answer } = await send(hook.row, message, signal);
      if (status >= 200 && status < 300) return;
      const reason = status === 0 ? error : `${status} ${answer}`.trim();
      if (FINAL.has(status)) throw new PermanentFailure(reason);
      throw new Error(reason);
    },
  };
}

const bodyOf = ({ id, kind, atMs, facts }: StoredEvent): string => JSON.stringify({ id, kind, time: atMs, facts });
