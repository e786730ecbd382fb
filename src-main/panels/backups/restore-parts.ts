import type { PartsRequest, PartsPlan, PlannedPart } from '../../bridge/maintenance.ts';
import {
  collide,
  isOnNode,
  PlacedInbound,
  Section,
  transportsIn,
  type InboundPlace,
} from '../reading/inbound-places.ts';
import { readClients } from '../reading/read-clients.ts';
import { orNone, readInbounds } from '../reading/read-lists.ts';
import { listOf, plainText } from '../reading/tolerant.ts';
import { ReadFailure } from '../reading/limited-call.ts';
import { PanelRefusal, type PanelApi } from '../maintenance/panel-api.ts';
import type { KeptClient, KeptInbound, KeptParts } from './kept-parts.ts';

/** A remark, or a tag where there is none. */
const nameOf = (inbound: PlacedInbound | KeptInbound | undefined): string =>
  inbound === undefined ? '' : 'name' in inbound ? inbound.name : plainText(inbound.remark || inbound.tag);

type Picked = Pick<PartsRequest, 'inbounds' | 'clients'>;

/** The steps, with their data. */
interface Steps extends PartsPlan {
  inbounds: KeptInbound[];
  /** E-mails, each with the tags of its inbounds. */
  clients: Map<string, string[]>;
  /** Ids of existing inbounds, by tag. */
  idByTag: Map<string, number>;
}

const Places = listOf(PlacedInbound, 5_000);
/** Panels tell two names apart neither by case nor by Unicode composition. */
const foldName = (name: string): string => name.normalize('NFC').toLowerCase();

/** What restoring parts of a backup into a panel would do; changes nothing. @throws {ReadFailure} */
export async function planParts(api: PanelApi, kept: KeptParts, picked: Picked): Promise<Steps> {
  const present = await readPlaces(api);
  const places = present.filter((inbound) => !isOnNode(inbound));
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
    const place = placeIn(inbound);
    const samePort =
      places.find((each) => collide(each, place)) ?? inbounds.find((each) => collide(placeIn(each), place));
    const verdict = sameTag !== undefined ? 'tagTaken' : samePort !== undefined ? 'portTaken' : 'create';
    parts.push({ kind: 'inbound', name: inbound.name, verdict, with: nameOf(sameTag ?? samePort) });
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
  await readClients(api.link, ({ email }) => void there.add(foldName(email)));
  const created = new Set(inbounds.map(({ tag }) => tag));
  for (const email of wanted) {
    const client = kept.client(email);
    const note = (verdict: PlannedPart['verdict'], clash = ''): void =>
      void parts.push({ kind: 'client', name: email, verdict, with: clash });
    if (client === null) note('notInBackup');
    // A client that comes along with its inbound stays as it is if it exists; one that was selected is a conflict.
    else if (there.has(foldName(email))) note(chosen.has(email) ? 'clientThere' : 'stays');
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

/** Inbounds of a panel; other makers' panels return them with their clients. */
async function readPlaces(api: PanelApi): Promise<PlacedInbound[]> {
  const path = '/panel/api/inbounds/list';
  const rows =
    (await orNone(api.get(`${path}/counted`), null)) ??
    (await orNone(api.get(`${path}/slim`), null)) ??
    (await api.get(path));
  return Places.parse(rows);
}

const placeIn = ({ body: { protocol, listen, port, settings, streamSettings } }: KeptInbound): InboundPlace => ({
  listen,
  port,
  transports: transportsIn(protocol, Section.parse(settings), Section.parse(streamSettings)),
});

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
  const undo: Undo = [];
  const total = steps.inbounds.length + steps.clients.size;
  let done = 0;
  const step = (): void => {
    signal.throwIfAborted();
    onProgress((done += 1), total);
  };
  try {
    for (const inbound of steps.inbounds) {
      steps.idByTag.set(inbound.tag, await createInbound(api, inbound, undo));
      step();
    }
    await createFallbacks(api, steps);
    for (const [email, tags] of steps.clients) {
      await createClient(api, kept.client(email)!, { ids: steps.idByTag, tags }, undo);
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

/** What deletes the created items again, the last one first. */
type Undo = (() => Promise<unknown>)[];

/** Creates something. When its answer is lost it may exist all the same; a refusal says that it does not. */
async function create(api: PanelApi, path: string, body: unknown, undo: Undo, remove: Undo[number]): Promise<unknown> {
  undo.unshift(remove);
  try {
    return await api.post(path, body);
  } catch (error) {
    if (error instanceof PanelRefusal) undo.shift();
    throw error;
  }
}

/** @returns its id */
async function createInbound(api: PanelApi, { body, tag, hosts }: KeptInbound, undo: Undo): Promise<number> {
  const path = '/panel/api/inbounds/add';
  const made = await create(api, path, body, undo, async () => {
    const id = await findId(api, tag);
    if (id !== null) await api.post(`/panel/api/inbounds/del/${id}`, {});
  });
  const { id: reported } = (made ?? {}) as { id?: unknown };
  // Other makers' panels answer a save without the id.
  const id = typeof reported === 'number' ? reported : await findId(api, tag);
  if (id === null) throw new Error(`the inbound ${tag} was created and is not there`);
  if (hosts.length > 0 && (await hasCall(api, '/panel/api/hosts/list')))
    for (const host of hosts) await api.post('/panel/api/hosts/add', { ...host, inboundId: id });
  return id;
}

/** Rules that lead to an inbound which is neither restored nor there stay out. */
async function createFallbacks(api: PanelApi, { inbounds, idByTag }: Steps): Promise<void> {
  for (const { tag, fallbacks } of inbounds) {
    const rules = fallbacks.flatMap(({ childTag, ...rule }) => {
      const childId = childTag === '' ? 0 : (idByTag.get(childTag) ?? null);
      return childId === null ? [] : [{ ...rule, childId }];
    });
    const path = `/panel/api/inbounds/${idByTag.get(tag)}/fallbacks`;
    if (rules.length > 0 && (await hasCall(api, path))) await api.post(path, { fallbacks: rules });
  }
}

async function createClient(
  api: PanelApi,
  { client, attachments, externalLinks, upBytes, downBytes }: KeptClient,
  { ids, tags }: { ids: ReadonlyMap<string, number>; tags: readonly string[] },
  undo: Undo,
): Promise<void> {
  const name = encodeURIComponent(client.email);
  const body = {
    client,
    inboundIds: tags.flatMap((tag) => ids.get(tag) ?? []),
    attachments: attachments.flatMap(({ tag, ...own }) => {
      const inboundId = tags.includes(tag) ? ids.get(tag) : undefined;
      return inboundId === undefined ? [] : [{ inboundId, ...own }];
    }),
  };
  await create(api, '/panel/api/clients/add', body, undo, async () => {
    if (await hasCall(api, `/panel/api/clients/get/${name}`)) await api.post(`/panel/api/clients/del/${name}`, {});
  });
  if (externalLinks.length > 0) await api.post(`/panel/api/clients/${name}/externalLinks`, { externalLinks });
  if (upBytes + downBytes > 0)
    await api.post(`/panel/api/clients/updateTraffic/${name}`, { upload: upBytes, download: downBytes });
}

async function findId(api: PanelApi, tag: string): Promise<number | null> {
  return (await readInbounds(api.link)).find((inbound) => inbound.tag === tag)?.id ?? null;
}

/** Whether a panel answers this read call, which it refuses for something that it does not have. */
async function hasCall(api: PanelApi, path: string): Promise<boolean> {
  try {
    await api.get(path);
    return true;
  } catch (error) {
    if (error instanceof ReadFailure && error.trouble === 'absent') return false;
    throw error;
  }
}
