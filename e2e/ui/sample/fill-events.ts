import type { Kysely } from 'kysely';
import type { Schema } from '../../../src-server/store/schema.ts';
import type { EventKind } from '../../../src-server/domains/events/contract.ts';

const MINUTE = 60_000;
const NEWS: readonly [EventKind, number, Record<string, string | number | boolean>][] = [
  ['backup.failed', 3_000, { reason: 'daily', error: 'no space left on device' }],
  ['outbound.down', 700, { tag: 'warp', delayMs: 0, error: 'context deadline exceeded' }],
  ['outbound.up', 640, { tag: 'warp', delayMs: 84 }],
  ['client.quota', 200, { email: 'omid@example.org', percent: 95, usedBytes: 51e9, quotaBytes: 53.7e9 }],
  ['client.expired', 130, { count: 14, named: 3, names: 'omid@example.org, sara-laptop, nadia@example.org' }],
  ['certificate.expiring', 90, { name: 'panel.example.com', days: 7, expiresAtMs: Date.now() + 7 * 86_400_000 }],
  ['node.down', 12, { nodeId: 1, name: 'Helsinki', error: 'connect ECONNREFUSED 127.0.0.1:9' }],
];

/** A week of events, a webhook with its log, and an undeliverable message. */
export async function fillEvents(trx: Kysely<Schema>, nowMs: number): Promise<void> {
  const ids: number[] = [];
  for (const [kind, minutesAgo, facts] of NEWS) {
    const event = { kind, atMs: nowMs - minutesAgo * MINUTE, facts: JSON.stringify(facts), summaryId: null };
    ids.push((await trx.insertInto('events').values(event).returning('id').executeTakeFirstOrThrow()).id);
  }
  const dead = {
    state: 'dead' as const,
    attempts: 1,
    dueAtMs: nowMs,
    lastError: 'Server rejects sending from this address, or to a recipient: 550 5.1.1 no such user',
  };
  await trx
    .insertInto('deliveries')
    .values({ channel: 'email', eventId: ids[0]!, ...dead })
    .execute();
  const { id: webhookId } = await trx
    .insertInto('webhooks')
    .values({
      name: 'On-call',
      url: 'https://hooks.example.net/services/on-call',
      secret: '',
      kinds: 'core.crash,backup.failed',
      enabled: 1,
      allowPrivate: 0,
      cpuPercent: 90,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const attempt = { webhookId, eventId: ids[0]!, kind: 'backup.failed', atMs: nowMs - 3_000 * MINUTE, body: '{}' };
  await trx
    .insertInto('webhookAttempts')
    .values([
      { ...attempt, tookMs: 1_840, status: 503, answer: 'upstream is busy', error: '' },
      { ...attempt, tookMs: 212, status: 200, answer: 'ok', error: '' },
    ])
    .execute();
}
