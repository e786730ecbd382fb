import type { Store, WriteTransaction } from '../../../store/open-store.ts';
import {
  MAX_SHOWN,
  PLAN_PARTS,
  type Plan,
  type PlanChange,
  type PlanPart,
  type PlanPreview,
  type PlanApplication,
} from '../../plans/contract.ts';
import type { ChangeNotes } from '../contract.ts';
import { unwatched, type Watch } from '../list/watch.ts';
import type { Credentials, InboundFacts } from '../rules/credential-rules.ts';
import { findClashes } from '../rules/identity-check.ts';
import { bringPlan, canCarry, valuesOf, type BringContext } from '../rules/plan-rules.ts';
import type { Db } from '../../../store/schema.ts';
import { loadAttachments, loadNamed } from '../storage/load-clients.ts';
import { clientsOfPlan, inboundFacts } from '../storage/repository-read.ts';
import { saveClients } from '../storage/save-clients.ts';
import { UserChanges } from '../storage/user-changes.ts';
import type { ClientTrafficPort } from '../traffic-port.ts';
import { complete, credentialsOf, type WorkingClient } from '../verbs/working-client.ts';
import { notFound } from './bulk-switch.ts';
import type { RequestId, RunChange } from './change-runner.ts';
import { namedChunks, type Skipped } from './email-list.ts';
import { skippedFor } from './reason.ts';

interface BulkPlanDeps {
  run: RunChange;
  store: Pick<Store, 'heavyReader'>;
  traffic: ClientTrafficPort;
  clock: () => number;
}

export function createBulkPlan({ run, store, traffic, clock }: BulkPlanDeps) {
  async function contextOf(db: Db, plan: Plan, { addDays }: PlanApplication): Promise<BringContext> {
    const nowMs = clock();
    const found = await inboundFacts(db, plan.inboundIds);
    const inbounds = plan.inboundIds.flatMap((id): InboundFacts[] => {
      const inbound = found.get(id);
      return inbound !== undefined && canCarry(inbound) ? [inbound] : [];
    });
    return { addDays, nowMs, nextRenewalMs: (day) => traffic.nextRenewalMs(day, nowMs), inbounds };
  }

  return {
    /** What {@link bulkPlan} would change now. */
    async previewPlan(plan: Plan, application: PlanApplication): Promise<PlanPreview> {
      const db = store.heavyReader;
      const context = await contextOf(db, plan, application);
      const parts = Object.fromEntries(PLAN_PARTS.map((part) => [part, 0])) as Record<PlanPart, number>;
      const preview = { total: 0, changed: 0, parts, clients: [] as PlanChange[] };
      for await (const { clients } of chunksOf(db, plan, application, unwatched))
        for (const client of clients) {
          const before = { values: { ...client.values }, links: client.links };
          const links = new Map([...client.links].map(([id, link]) => [id, { ...link }]));
          const moved = { ...client, values: { ...client.values }, links };
          const changed = bringPlan(moved, plan, application, context);
          preview.total += 1;
          const isNew = before.values.planId !== plan.id;
          if (changed.length === 0 && !isNew) continue;
          preview.changed += 1;
          for (const part of changed) parts[part] += 1;
          if (preview.clients.length < MAX_SHOWN)
            preview.clients.push({
              email: client.values.email,
              before: { ...(isNew ? { planId: before.values.planId } : {}), ...valuesOf(before, changed) },
              after: { ...(isNew ? { planId: plan.id } : {}), ...valuesOf(moved, changed) },
            });
        }
      return preview;
    },
    /**
     * Applies a plan to clients in one transaction. A client with a credential that another client of an inbound
     * already uses stays unchanged.
     * @param read reads the plan in this transaction
     */
    async bulkPlan(
      read: (trx: WriteTransaction) => Promise<Plan>,
      application: PlanApplication,
      requestId: RequestId,
      watch: Watch = unwatched,
    ): Promise<{ changed: number; skipped: Skipped[] } & NonNullable<ChangeNotes>> {
      const { result, notes } = await run(requestId, async (trx) => {
        const plan = await read(trx);
        const context = await contextOf(trx, plan, application);
        const changes = new UserChanges();
        const done = { changed: 0, skipped: [] as Skipped[] };
        for await (const { clients, missing } of chunksOf(trx, plan, application, watch)) {
          for (const email of missing) done.skipped.push(notFound(email));
          const wanted = await bringChunk(trx, clients, { plan, application, context }, done);
          changes.merge(await saveClients(trx, wanted, traffic, clock()));
        }
        return { changes, result: done };
      });
      return { ...result, ...notes };
    },
  };
}
export type PlanVerbs = ReturnType<typeof createBulkPlan>;

interface Chunk {
  clients: WorkingClient[];
  /** Named e-mails without a client. */
  missing: string[];
}

/** The named clients, or all that have the plan, in chunks. */
async function* chunksOf(db: Db, plan: Plan, { emails }: PlanApplication, watch: Watch): AsyncGenerator<Chunk> {
  if (emails !== undefined) {
    for (const named of namedChunks(emails, watch)) {
      const { clients } = await loadNamed(db, named);
      yield {
        clients: named.flatMap(({ key }) => clients.get(key) ?? []),
        missing: named.filter(({ key }) => !clients.has(key)).map(({ email }) => email),
      };
    }
    return;
  }
  let done = 0;
  for (let afterId = 0; ;) {
    watch(done);
    const rows = await clientsOfPlan(db, plan.id, afterId);
    if (rows.length === 0) return;
    const { clients } = await loadAttachments(db, rows);
    yield { clients: [...clients.values()], missing: [] };
    done += rows.length;
    afterId = rows.at(-1)!.id;
  }
}

/** @returns clients to save; refused ones are added to `done` */
async function bringChunk(
  trx: WriteTransaction,
  clients: readonly WorkingClient[],
  { plan, application, context }: { plan: Plan; application: PlanApplication; context: BringContext },
  done: { changed: number; skipped: Skipped[] },
): Promise<WorkingClient[]> {
  const given = new Map<WorkingClient, Credentials>();
  const touched = clients.filter((client) => {
    const isNew = client.values.planId !== plan.id;
    const changed = bringPlan(client, plan, application, context);
    if (changed.includes('inbounds')) {
      given.set(client, credentialsOf(client));
      complete(client);
    }
    return isNew || changed.length > 0;
  });
  const clashes = await findClashes(trx, [...given.keys()], (client) => given.get(client)!);
  const refused = new Set(clashes.map(({ client }) => client));
  for (const { client, error } of clashes) done.skipped.push(skippedFor(client.values.email, error));
  const wanted = touched.filter((client) => !refused.has(client));
  done.changed += wanted.length;
  return wanted;
}
