import type { PartsRequest, PartsPlan, PlannedPart } from '../../bridge/maintenance.ts';
import { readClients } from '../reading/read-clients.ts';
import { readInbounds } from '../reading/read-lists.ts';
import type { PanelApi } from '../maintenance/panel-api.ts';
import type { KeptInbound, KeptParts } from './kept-parts.ts';

type Picked = Pick<PartsRequest, 'inbounds' | 'clients'>;

/** The steps, with their data. */
interface Steps extends PartsPlan {
  inbounds: KeptInbound[];
  /** E-mails, each with the tags of its inbounds. */
  clients: Map<string, string[]>;
  /** Ids of existing inbounds, by tag. */
  idByTag: Map<string, number>;
}

const EVERYWHERE = new Set(['', '0.0.0.0', '::', '::0']);

/** What restoring parts of a backup into a panel would do; changes nothing. @throws {ReadFailure} */
export async function planParts(api: PanelApi, kept: KeptParts, picked: Picked): Promise<Steps> {
  const present = await readInbounds(api.link);
  const known = kept.inbounds();
  const parts: PlannedPart[] = [];
  const inbounds: KeptInbound[] = [];
  for (const tag of new Set(picked.inbounds)) {
    const inbound = known.find((each) => each.tag === tag);
    if (inbound === undefined) {
      parts.push({ kind: 'inbound', name: tag, verdict: 'notInBackup', with: '' });
      continue;
    }
    const sameTag = present.find((each) => each.tag === tag);
    const samePort = [...present, ...inbounds].find((each) => meet(each, inbound));
    const verdict = sameTag !== undefined ? 'tagTaken' : samePort !== undefined ? 'portTaken' : 'create';
    parts.push({ kind: 'inbound', name: inbound.name, verdict, with: (sameTag ?? samePort)?.name ?? '' });
    if (verdict === 'create') inbounds.push(inbound);
  }
  const idByTag = new Map(present.map(({ tag, id }) => [tag, id]));
  const clients = await planClients(api, kept, picked, { inbounds, idByTag, parts });
  const hasRefusal = parts.some(({ verdict }) => verdict !== 'create' && verdict !== 'stays');
  return {
    parts,
    inbounds,
    clients,
    idByTag,
    canRun: !hasRefusal && parts.some(({ verdict }) => verdict === 'create'),
  };
}

async function planClients(
  api: PanelApi,
  kept: KeptParts,
  picked: Picked,
  { inbounds, idByTag, parts }: Pick<Steps, 'inbounds' | 'idByTag' | 'parts'>,
): Promise<Map<string, string[]>> {
  const chosen = new Set(picked.clients);
  const wanted = new Set([...chosen, ...inbounds.flatMap(({ tag }) => kept.emailsOf(tag))]);
  const clients = new Map<string, string[]>();
  if (wanted.size === 0) return clients;
  const there = new Set<string>();
  await readClients(api.link, ({ email }) => void (wanted.has(email) && there.add(email)));
  const created = new Set(inbounds.map(({ tag }) => tag));
  for (const email of wanted) {
    const client = kept.client(email);
    const note = (verdict: PlannedPart['verdict'], clash = ''): void =>
      void parts.push({ kind: 'client', name: email, verdict, with: clash });
    if (client === null) note('notInBackup');
    // A client that comes along with its inbound stays as it is if it exists; one that was selected is a conflict.
    else if (there.has(email)) note(chosen.has(email) ? 'clientThere' : 'stays');
    else {
      const tags = client.tags.filter((tag) => created.has(tag) || idByTag.has(tag));
      if (tags.length === 0) note('inboundMissing', client.tags.join(', '));
      else {
        note('create');
        clients.set(email, tags);
      }
    }
  }
  return clients;
}

/** Whether two inbounds need the same address and port. */
function meet(one: { listen: string; port: number }, other: { listen: string; port: number }): boolean {
  if (one.port === 0 || one.port !== other.port) return false;
  return one.listen === other.listen || EVERYWHERE.has(one.listen) || EVERYWHERE.has(other.listen);
}

/**
 * Restores parts of a backup into a panel through its API. Created items are deleted again when a later part fails, or
 * on cancellation. @throws {Error} with the panel's words
 */
export async function restoreParts(
  api: PanelApi,
  kept: KeptParts,
  picked: Picked,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (done: number, total: number) => void },
): Promise<void> {
  const steps = await planParts(api, kept, picked);
  if (!steps.canRun) throw new Error('the panel changed since the plan was made; look at it again');
  const undo: (() => Promise<unknown>)[] = [];
  const total = steps.inbounds.length + steps.clients.size;
  let done = 0;
  const step = (): void => {
    signal.throwIfAborted();
    onProgress((done += 1), total);
  };
  try {
    for (const { body, tag } of steps.inbounds) {
      const made = (await api.post('/panel/api/inbounds/add', body)) as { id?: unknown } | null;
      const id = typeof made?.id === 'number' ? made.id : await idOf(api, tag);
      undo.unshift(() => api.post(`/panel/api/inbounds/del/${id}`, {}));
      steps.idByTag.set(tag, id);
      step();
    }
    for (const [email, tags] of steps.clients) {
      const { client, upBytes, downBytes } = kept.client(email)!;
      const inboundIds = tags.flatMap((tag) => steps.idByTag.get(tag) ?? []);
      await api.post('/panel/api/clients/add', { client, inboundIds });
      const path = encodeURIComponent(email);
      undo.unshift(() => api.post(`/panel/api/clients/del/${path}`, {}));
      if (upBytes + downBytes > 0)
        await api.post(`/panel/api/clients/updateTraffic/${path}`, { upload: upBytes, download: downBytes });
      step();
    }
  } catch (error) {
    const left: string[] = [];
    for (const work of undo) await work().catch((failure: unknown) => left.push(String(failure)));
    if (left.length === 0) throw error;
    const words = error instanceof Error ? error.message : String(error);
    throw new Error(`${words}; ${left.length} of the parts that were created could not be taken back`, {
      cause: error,
    });
  }
}

/** Other makers' panels answer a save without the id. */
async function idOf(api: PanelApi, tag: string): Promise<number> {
  const found = (await readInbounds(api.link)).find((inbound) => inbound.tag === tag);
  if (found === undefined) throw new Error(`the inbound ${tag} was created and is not there`);
  return found.id;
}
