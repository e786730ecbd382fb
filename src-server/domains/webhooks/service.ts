import { DomainError } from '../../contract/domain-error.ts';
import type { Publish } from '../../contract/events.ts';
import type { GuardedDialer } from '../../net/guarded-dialer.ts';
import type { Store } from '../../store/open-store.ts';
import type { Secrets } from '../../store/secrets/secrets.ts';
import { PermanentFailure, type Channel, type StoredEvent } from '../events/channel.ts';
import type { EventKind } from '../events/contract.ts';
import { kindsOf } from '../events/kinds-of.ts';
import type { EventService } from '../events/service.ts';
import type { Webhook, WebhookAttempt, WebhookSave } from './contract.ts';
import { presentAttempt, presentWebhook } from './present.ts';
import * as rows from './repository.ts';
import { sendSigned } from './send-signed.ts';

const MOST_WEBHOOKS = 20;
const MOST_ATTEMPTS = 100;
const CPU_PERCENT = 80;
/** Statuses that mean a permanent refusal; anything else may change. */
const FINAL = new Set([400, 405, 410, 413, 415, 422]);
const TEST_KIND = 'test';
const LOST_SECRET = { status: 0, answer: '', error: 'the secret cannot be opened any more: enter it again' };

/** Settings of a webhook for its channel. */
interface Hook {
  row: rows.WebhookRow;
  kinds: EventKind[];
  /** Unregisters its channel. */
  end: () => void;
}

/** External programs that receive events: each has its own channel. */
export async function createWebhookService(deps: {
  store: Store;
  secrets: Secrets;
  dialer: Pick<GuardedDialer, 'open'>;
  events: Pick<EventService, 'register' | 'forget'>;
  publish: Publish;
  clock: () => number;
}) {
  const { store, secrets, dialer, events, publish, clock } = deps;
  const hooks = new Map<number, Hook>();
  const sealOf = (id: number): string => `webhook.${id}.secret`;
  const changed = (): void => publish({ type: 'invalidate', resource: 'events' });

  /** Sends one request and records it in the log. */
  async function send(
    row: rows.WebhookRow,
    message: { body: string; eventId: number; kind: string },
    signal: AbortSignal,
  ): Promise<rows.AttemptRow> {
    const { id, url, allowPrivate } = row;
    const { body, eventId, kind } = message;
    const atMs = clock();
    const startedAtMs = performance.now();
    const secret = row.secret === '' ? '' : secrets.open(sealOf(id), row.secret);
    // A database restored without its key: a target that checks signatures must not get an unsigned message.
    const answered =
      secret === null
        ? LOST_SECRET
        : await sendSigned(
            dialer,
            { url, secret, allowPrivate: allowPrivate === 1 },
            { body, eventId, nowMs: atMs },
            signal,
          );
    const tookMs = Math.round(performance.now() - startedAtMs);
    const attempt = { webhookId: id, eventId, kind, atMs, tookMs, body, ...answered };
    // No time to record during a stop: aborted requests are sent again.
    if (signal.aborted) return { id: 0, ...attempt };
    const noted = await store.write((trx) => rows.noteAttempt(trx, attempt, MOST_ATTEMPTS));
    changed();
    return noted ?? { id: 0, ...attempt };
  }

  function channelOf(id: number): Channel {
    return {
      name: `webhook:${id}`,
      wants({ kind, facts }) {
        const hook = hooks.get(id);
        if (hook === undefined || hook.row.enabled === 0 || !hook.kinds.includes(kind)) return false;
        const { cpuPercent } = hook.row;
        return kind !== 'cpu.high' || (cpuPercent > 0 && Number(facts['percent']) > cpuPercent);
      },
      async deliver(event, signal) {
        const hook = hooks.get(id);
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

  function open(row: rows.WebhookRow): Hook {
    const present = hooks.get(row.id);
    const kinds = kindsOf(row.kinds);
    if (present !== undefined) {
      Object.assign(present, { row, kinds });
      return present;
    }
    const hook: Hook = { row, kinds, end: () => {} };
    hooks.set(row.id, hook);
    hook.end = events.register(channelOf(row.id), {
      label: () => hook.row.name,
      kinds: () => hook.kinds,
      isOn: () => hook.row.enabled === 1,
    });
    return hook;
  }

  function known(id: number): Hook {
    const hook = hooks.get(id);
    if (hook === undefined) throw new DomainError('webhooks.unknown');
    return hook;
  }

  for (const row of await rows.allWebhooks(store.reader)) open(row);

  return {
    list: (): Webhook[] => [...hooks.values()].map(presentHook),
    /** @throws {DomainError} `webhooks.*` */
    async save({ id, secret = '', clearSecret = false, ...given }: WebhookSave): Promise<Webhook> {
      const before = id === undefined ? null : known(id).row;
      const nowMs = clock();
      const next = {
        name: (given.name ?? before?.name ?? '').trim(),
        url: webhookUrl(given.url ?? before?.url ?? ''),
        kinds: given.kinds?.join(',') ?? before?.kinds ?? '',
        enabled: flag(given.enabled, before?.enabled ?? 1),
        allowPrivate: flag(given.allowPrivate, before?.allowPrivate ?? 0),
        cpuPercent: given.cpuPercent ?? before?.cpuPercent ?? CPU_PERCENT,
        updatedAtMs: nowMs,
      };
      if (next.name === '') throw new DomainError('webhooks.nameRequired');
      if (before === null && hooks.size >= MOST_WEBHOOKS)
        throw new DomainError('webhooks.tooMany', { max: MOST_WEBHOOKS });
      const row = await store.write(async (trx): Promise<rows.WebhookRow> => {
        const kept = { secret: before?.secret ?? '', createdAtMs: before?.createdAtMs ?? nowMs };
        const rowId = before?.id ?? (await rows.insertWebhook(trx, { ...next, ...kept }));
        const sealed = secret !== '' ? secrets.seal(sealOf(rowId), secret) : clearSecret ? '' : kept.secret;
        await rows.updateWebhook(trx, rowId, { ...next, secret: sealed });
        return { id: rowId, ...next, ...kept, secret: sealed };
      });
      const hook = open(row);
      changed();
      return presentHook(hook);
    },
    /** Deleting twice is allowed. */
    async delete(id: number): Promise<void> {
      const hook = hooks.get(id);
      hooks.delete(id);
      hook?.end();
      await store.write((trx) => rows.deleteWebhook(trx, id));
      await events.forget(`webhook:${id}`);
      changed();
    },
    async test(id: number): Promise<WebhookAttempt> {
      const { row } = known(id);
      const body = JSON.stringify({ id: 0, kind: TEST_KIND, time: clock(), facts: {} });
      return presentAttempt(await send(row, { body, eventId: 0, kind: TEST_KIND }, new AbortController().signal));
    },
    async attempts(id: number): Promise<WebhookAttempt[]> {
      known(id);
      return (await rows.attemptsOf(store.reader, id)).map(presentAttempt);
    },
    async resend(attemptId: number): Promise<WebhookAttempt> {
      const attempt = await rows.findAttempt(store.reader, attemptId);
      if (attempt === undefined) throw new DomainError('webhooks.unknownAttempt');
      const { webhookId, body, eventId, kind } = attempt;
      const { row } = known(webhookId);
      return presentAttempt(await send(row, { body, eventId, kind }, new AbortController().signal));
    },
  };
}
export type WebhookService = Awaited<ReturnType<typeof createWebhookService>>;

const presentHook = ({ row, kinds }: Hook): Webhook => presentWebhook(row, kinds);

const flag = (given: boolean | undefined, standard: 0 | 1): 0 | 1 => (given === undefined ? standard : given ? 1 : 0);

const bodyOf = ({ id, kind, atMs, facts }: StoredEvent): string => JSON.stringify({ id, kind, time: atMs, facts });

/**
 * The URL as dialled. A user name and password in it would be shown and stored in plain text. @throws {DomainError}
 * `webhooks.url`
 */
function webhookUrl(text: string): string {
  const url = URL.parse(text.trim());
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (url === null || !isWeb || url.hostname === '' || url.username !== '' || url.password !== '')
    throw new DomainError('webhooks.url');
  url.hash = '';
  return url.href;
}
