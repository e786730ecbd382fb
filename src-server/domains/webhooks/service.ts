import { createLine } from '../../concurrency.ts';
import { DomainError } from '../../contract/domain-error.ts';
import type { Publish } from '../../contract/events.ts';
import type { GuardedDialer } from '../../net/guarded-dialer.ts';
import type { Store } from '../../store/open-store.ts';
import type { Secrets } from '../../store/secrets/secrets.ts';
import type { EventKind } from '../events/contract.ts';
import { kindsOf } from '../events/kinds-of.ts';
import type { EventService } from '../events/service.ts';
import { webhookChannel } from './channel.ts';
import type { Webhook, WebhookAttempt, WebhookSave } from './contract.ts';
import { presentAttempt, presentWebhook } from './present.ts';
import * as rows from './repository.ts';
import { createSender, sealOf } from './sender.ts';

const MAX_WEBHOOKS = 20;
const CPU_PERCENT = 80;
const TEST_KIND = 'test';

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
  const { store, secrets, events, publish, clock } = deps;
  const hooks = new Map<number, Hook>();
  // A save starts from the webhook as the one before it has left it.
  const inTurn = createLine();
  const changed = (): void => publish({ type: 'invalidate', resource: 'events' });
  const send = createSender(deps, changed);

  function open(row: rows.WebhookRow): Hook {
    const present = hooks.get(row.id);
    const kinds = kindsOf(row.kinds);
    if (present !== undefined) {
      Object.assign(present, { row, kinds });
      return present;
    }
    const hook: Hook = { row, kinds, end: () => {} };
    hooks.set(row.id, hook);
    const channel = webhookChannel(row.id, () => hooks.get(row.id), send);
    hook.end = events.register(channel, {
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

  async function save({ id, secret = '', clearSecret = false, ...given }: WebhookSave): Promise<Webhook> {
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
    if (before === null && hooks.size >= MAX_WEBHOOKS) throw new DomainError('webhooks.tooMany', { max: MAX_WEBHOOKS });
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
  }

  async function remove(id: number): Promise<void> {
    const hook = hooks.get(id);
    hooks.delete(id);
    hook?.end();
    await store.write((trx) => rows.deleteWebhook(trx, id));
    await events.forget(`webhook:${id}`);
    changed();
  }

  return {
    list: (): Webhook[] => [...hooks.values()].map(presentHook),
    /** @throws {DomainError} `webhooks.*` */
    save: (given: WebhookSave): Promise<Webhook> => inTurn(() => save(given)),
    /** Deleting twice is allowed. */
    delete: (id: number): Promise<void> => inTurn(() => remove(id)),
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
