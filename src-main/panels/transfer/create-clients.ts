import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { Amount, listOf, Text } from '../reading/tolerant.ts';
import { fewAtATime } from '../jobs/few-at-a-time.ts';
import type { PanelCalls } from '../jobs/panel-calls.ts';
import { JobFailure } from '../jobs/job-failure.ts';
import type { PreparedClient } from './plan-transfer.ts';
import type { JournalClient } from './transfer-journal.ts';

/** Clients per call: the journal records it first, so that this many have to be looked up after an interruption. */
export const CLIENTS_AT_ONCE = 200;
const CALLS_AT_ONCE = 4;

/** Clients to send, with new subscription ids where the old ones are taken: one for all that shared the old one. */
export function journalClients(prepared: readonly PreparedClient[]): JournalClient[] {
  const newSubIds = new Map<string, string>();
  return prepared.map(({ source, email, hasNewSubId }) => {
    const { uuid, password, auth, upBytes, downBytes } = source;
    if (hasNewSubId && !newSubIds.has(source.subId)) newSubIds.set(source.subId, randomBytes(8).toString('hex'));
    const subId = newSubIds.get(source.subId) ?? source.subId;
    return { email, sourceEmail: source.email, uuid, password, auth, subId, upBytes, downBytes };
  });
}

const Created = z.object({
  created: Amount,
  skipped: listOf(z.object({ email: Text, reason: Text }), 1_000),
});

/** Creates clients with their secrets, limits and external links. @throws {JobFailure} when one of them is refused */
export async function createClients(
  to: PanelCalls,
  prepared: readonly PreparedClient[],
  sent: readonly JournalClient[],
  newIds: ReadonlyMap<number, number>,
): Promise<void> {
  const entries = prepared.map(({ source, email, fromInboundIds, ontoInboundIds, planId }, index) => ({
    client: { ...source.body, email, subId: sent[index]!.subId, ...(planId > 0 ? { planId } : {}) },
    inboundIds: [...new Set([...fromInboundIds.flatMap((id) => newIds.get(id) ?? []), ...ontoInboundIds])],
    attachments: source.attachments.flatMap(({ inboundId, ...own }) => {
      const newId = newIds.get(inboundId);
      return newId === undefined ? [] : [{ inboundId: newId, ...own }];
    }),
  }));
  const created = Created.safeParse(await createMany(to, entries)).data;
  const [refused] = created?.skipped ?? [];
  if (refused !== undefined) throw new JobFailure('clientsRefused', { email: refused.email, words: refused.reason });
  for (const [index, { source, email }] of prepared.entries())
    if (source.externalLinks.length > 0)
      await to.post(`/panel/api/clients/${encodeURIComponent(sent[index]?.email ?? email)}/externalLinks`, {
        externalLinks: source.externalLinks,
      });
}

async function createMany(to: PanelCalls, entries: readonly { inboundIds: number[] }[]): Promise<unknown> {
  try {
    return await to.post('/panel/api/clients/bulkCreate', entries);
  } catch (error) {
    if (!(error instanceof JobFailure) || error.detail.code !== 'absent') throw error;
  }
  for (const entry of entries) await to.post('/panel/api/clients/add', entry);
  return { created: entries.length, skipped: [] };
}

/** Sets the used traffic of clients. @throws {JobFailure} */
export async function setCounters(
  to: PanelCalls,
  counters: readonly { email: string; upload: number; download: number }[],
  onDone: () => void,
): Promise<void> {
  await fewAtATime(counters, CALLS_AT_ONCE, async ({ email, upload, download }) => {
    await to.post(`/panel/api/clients/updateTraffic/${encodeURIComponent(email)}`, { upload, download });
    onDone();
  });
}
