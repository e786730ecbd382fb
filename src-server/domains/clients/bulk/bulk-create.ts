import { sql } from 'kysely';
import * as z from 'zod';
import { DomainError } from '../../../contract/domain-error.ts';
import type { ValidationIssue } from '../../../contract/envelope.ts';
import { toValidationIssues } from '../../../contract/validation.ts';
import type { Store, WriteTransaction } from '../../../store/open-store.ts';
import type { RequestId, RunChange } from './change-runner.ts';
import { CHUNK_SIZE, chunked } from './chunked.ts';
import type { Db } from '../../../store/schema.ts';
import { AttachmentsInput, ClientEntry, ClientInput, InboundIds, MAX_NAME_LENGTH } from '../contract.ts';
import type { Skipped } from './email-list.ts';
import { placeClients, type Placement, type PlacingRules } from '../verbs/placing.ts';
import { skippedFor } from './reason.ts';
import type { ClientTrafficPort } from '../traffic-port.ts';
import { UserChanges } from '../storage/user-changes.ts';
import { unwatched, type Watch } from '../list/watch.ts';
import { emailsOfClients, objectsIn } from '../../../store/dialect/imported-items.ts';

const Where = { inboundIds: InboundIds, attachments: AttachmentsInput };
const Item = z.object({ client: ClientInput, ...Where });
const ImportedItem = z.object({ client: ClientEntry, ...Where });

/** An item of a bulk call: usable, or the reason why not. */
type ReadItem = { email: string } & ({ placement: Placement } | { issues: ValidationIssue[] });

export interface Created {
  created: number;
  skipped: Skipped[];
}

/** Shown in place of a missing e-mail. */
const NO_EMAIL = '(missing email)';

/** The e-mail an item is about, as far as recognisable; empty when it has none. */
function emailIn(item: unknown): string {
  const { client } = Object(item) as { client?: unknown };
  const { email } = Object(client) as { email?: unknown };
  return typeof email === 'string' ? email.trim() : '';
}

/**
 * One bad item must not affect the others, so each is read separately. Nulls count as omitted, as other panels export
 * them.
 */
function readItem(item: unknown, as: typeof Item | typeof ImportedItem): ReadItem {
  const { client, inboundIds, attachments } = Object(item) as Record<string, unknown>;
  const named = emailIn(item).slice(0, MAX_NAME_LENGTH) || NO_EMAIL;
  const given =
    typeof client === 'object' && client !== null
      ? Object.fromEntries(Object.entries(client).filter(([, value]) => value !== null))
      : client;
  const parsed = as.safeParse(
    { client: given, inboundIds: inboundIds ?? undefined, attachments: attachments ?? undefined },
    { reportInput: true },
  );
  if (parsed.success) {
    const { client: input, ...where } = parsed.data;
    return { email: named, placement: { input, ...where } };
  }
  const withoutParent = (text: string): string => text.replace(/^client\./, '');
  const issues = toValidationIssues(parsed.error).map((issue) => ({
    ...issue,
    field: withoutParent(issue.field),
    message: withoutParent(issue.message),
  }));
  return { email: named, issues };
}

const unreadable = (email: string, issues: ValidationIssue[]): Skipped => ({
  email,
  reason: issues.map(({ message }) => message).join('; '),
  issues,
});

interface BulkCreateDeps {
  run: RunChange;
  traffic: ClientTrafficPort;
  clock: () => number;
}

async function createChunk(
  trx: WriteTransaction,
  items: readonly ReadItem[],
  rules: PlacingRules,
  into: ReturnType<typeof startOf>,
  { traffic, clock }: Omit<BulkCreateDeps, 'run'>,
): Promise<void> {
  const usable = items.flatMap((item) => ('placement' in item ? [item.placement] : []));
  const { errors, createdKeys, changes } = await placeClients(trx, usable, rules, { traffic, nowMs: clock() });
  into.changes.merge(changes);
  for (const key of createdKeys) into.createdKeys.push(key);
  let at = 0;
  for (const item of items) {
    const error = 'placement' in item ? (errors[at++] ?? null) : null;
    if ('issues' in item) into.skipped.push(unreadable(item.email, item.issues));
    else if (error !== null) into.skipped.push(skippedFor(item.email, error));
    else into.created += 1;
  }
}

const startOf = (): Created & { createdKeys: string[]; changes: UserChanges } => ({
  created: 0,
  skipped: [],
  createdKeys: [],
  changes: new UserChanges(),
});

/** @param onCreated receives the folded e-mails of new clients */
export function createBulkCreate({
  run,
  onCreated,
  ...deps
}: BulkCreateDeps & { onCreated: (keys: readonly string[]) => void }) {
  const rules: PlacingRules = { attachesExisting: true, allowsUnattached: false, emailTakenCode: 'client.emailTaken' };
  /** Creates clients, each as a single add would; refused ones are listed and change nothing. */
  return async (items: readonly unknown[], requestId: RequestId, watch: Watch = unwatched): Promise<Created> => {
    await deps.traffic.settleSubjects(items.map(emailIn));
    const { result, notes } = await run(requestId, async (trx) => {
      const done = startOf();
      for (const chunk of chunked(items, watch))
        await createChunk(
          trx,
          chunk.map((item) => readItem(item, Item)),
          rules,
          done,
          deps,
        );
      return { changes: done.changes, result: done };
    });
    const { created, skipped, createdKeys } = result;
    onCreated(createdKeys);
    return { created, skipped, ...notes };
  };
}

export function createImport({ run, store, ...deps }: BulkCreateDeps & { store: Store }) {
  const rules: PlacingRules = { attachesExisting: false, allowsUnattached: true, emailTakenCode: 'client.emailTaken' };
  /**
   * Creates the clients of an export. Existing e-mails are never overwritten.
   * @param data JSON text of an array of `{client, inboundIds}`.
   * @throws {DomainError} `client.importUnreadable`
   */
  return async (data: string, requestId: RequestId, watch: Watch = unwatched): Promise<Created> => {
    await deps.traffic.settleSubjects(await emailsIn(store.heavyReader, data));
    const { result, notes } = await run(requestId, async (trx) => {
      const done = startOf();
      let at = 0;
      for await (const items of itemsOf(trx, data)) {
        watch(at);
        at += items.length;
        await createChunk(
          trx,
          items.map((item) => readItem(item, ImportedItem)),
          rules,
          done,
          deps,
        );
      }
      const { created, skipped, changes } = done;
      return { changes, result: { created, skipped } };
    });
    return { ...result, ...notes };
  };
}

/**
 * E-mails in the text of an export. The database's threads parse the text: megabytes of it would block this thread for
 * too long.
 * @throws {DomainError} `client.importUnreadable`
 */
async function emailsIn(db: Db, data: string): Promise<string[]> {
  const { rows } = await sql<{ kind: string | null }>`
    SELECT CASE WHEN json_valid(${data}) THEN json_type(${data}) END AS kind`.execute(db);
  if (rows[0]?.kind !== 'array') throw new DomainError('client.importUnreadable');
  const { rows: named } = await sql<{ email: string }>`
    SELECT email FROM ${emailsOfClients(data)} AS named`.execute(db);
  return named.map(({ email }) => email);
}

/** Items of a JSON array, in pieces; the writer's thread parses the text. */
async function* itemsOf(trx: WriteTransaction, data: string): AsyncGenerator<unknown[]> {
  await sql`CREATE TEMP TABLE IF NOT EXISTS importedClients (at INTEGER PRIMARY KEY, item TEXT)`.execute(trx);
  await sql`DELETE FROM importedClients`.execute(trx);
  await sql`INSERT INTO importedClients
    SELECT key, item FROM ${objectsIn(data)} AS given`.execute(trx);
  for (let from = 0; ; from += CHUNK_SIZE) {
    const { rows } = await sql<{ item: string }>`
      SELECT item FROM importedClients WHERE at >= ${from} ORDER BY at LIMIT ${CHUNK_SIZE}`.execute(trx);
    if (rows.length > 0) yield rows.map(({ item }) => JSON.parse(item) as unknown);
    if (rows.length < CHUNK_SIZE) break;
  }
  await sql`DELETE FROM importedClients`.execute(trx);
}
