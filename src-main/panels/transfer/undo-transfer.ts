import * as z from 'zod';
import { fewAtATime } from '../jobs/few-at-a-time.ts';
import type { PanelCalls } from '../jobs/panel-calls.ts';
import { JobFailure } from '../jobs/job-failure.ts';
import { findNew } from './create-inbounds.ts';
import { readPlaces } from './read-transfer.ts';
import type { JournalClient, JournalHead } from './transfer-journal.ts';

const CALLS_AT_ONCE = 4;

const Wrapped = z.object({
  client: z.object({
    id: z.unknown(),
    uuid: z.string().optional().catch(undefined),
    password: z.string().catch(''),
    auth: z.string().catch(''),
    subId: z.string().catch(''),
  }),
});

/**
 * Undoes everything that a transfer has done, whenever it ended. What others created meanwhile stays: clients are
 * recognised by their secrets, inbounds by their contents. Doing it twice does no harm.
 * @throws {JobFailure} when a panel cannot be read
 */
export async function undoTransfer(
  from: PanelCalls,
  to: PanelCalls,
  head: JournalHead,
  clients: readonly JournalClient[],
): Promise<void> {
  // First what people notice: the old ones serve again.
  for (const id of head.switchOff.inboundIds) await from.post(`/panel/api/inbounds/setEnable/${id}`, { enable: true });
  if (head.switchOff.emails.length > 0)
    await from.post('/panel/api/clients/bulkEnable', { emails: head.switchOff.emails });
  const emails: string[] = [];
  await fewAtATime(clients.slice(0, head.clientsBegun), CALLS_AT_ONCE, async (client) => {
    if (await isThere(to, client)) emails.push(client.email);
  });
  if (emails.length > 0) await deleteClients(to, emails);
  if (head.inbounds.length === 0) return;
  const places = new Map((await readPlaces(to)).map((place) => [place.id, place]));
  for (const made of head.inbounds) {
    const id = made.newId ?? (await findNew(to, made, head.beforeInboundIds));
    const place = id === null ? undefined : places.get(id);
    if (place?.port === made.port && place.protocol === made.protocol)
      await to.post(`/panel/api/inbounds/del/${place.id}`);
  }
}

/**
 * Whether the new panel has this client: same name, same secrets. A panel without a kind of secret returns none, and
 * one that fits no cipher of the client's inbounds was replaced there: the password counts only without another secret.
 */
async function isThere(to: PanelCalls, client: JournalClient): Promise<boolean> {
  const result = await to.getOrNone(`/panel/api/clients/get/${encodeURIComponent(client.email)}`);
  const read = Wrapped.safeParse(result);
  if (!read.success) return false;
  const { id, uuid, password, auth, subId } = read.data.client;
  const reported = [
    [client.uuid, uuid === undefined || uuid === '' ? id : uuid],
    [client.auth, auth],
    [client.subId, subId],
  ].filter(([mine, theirs]) => mine !== '' && typeof theirs === 'string' && theirs !== '');
  if (reported.length === 0) return client.password !== '' && client.password === password;
  return reported.every(([mine, theirs]) => mine === theirs);
}

async function deleteClients(to: PanelCalls, emails: readonly string[]): Promise<void> {
  try {
    await to.post('/panel/api/clients/bulkDel', { emails, keepTraffic: false });
  } catch (error) {
    // Older panels delete one client per call.
    if (!(error instanceof JobFailure) || error.detail.code !== 'absent') throw error;
    for (const email of emails) await to.post(`/panel/api/clients/del/${encodeURIComponent(email)}`);
  }
}
