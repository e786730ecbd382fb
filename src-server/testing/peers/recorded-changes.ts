/** A refusal by the recorded panel, in its words. */
export class Refused extends Error {}

export interface RecordedInbound {
  id: number;
  remark: string;
  port: number;
  listen: string;
  protocol: string;
  tag: string;
  enable: boolean;
  settings: { clients?: { email: string }[] };
}
export interface RecordedClient {
  id: number;
  email: string;
  subId: string;
  uuid: string;
  password: string;
  auth: string;
  enable: boolean;
  totalGB: number;
  expiryTime: number;
  inboundIds: number[];
  externalLinks?: unknown[];
  traffic: { email: string; up: number; down: number; enable: boolean; inboundId: number };
}
export interface RecordedRows {
  inbounds: RecordedInbound[];
  clients: RecordedClient[];
}

type Json = Record<string, unknown>;
type Entry = { client: Json; inboundIds: number[] };
type Change = (rows: RecordedRows, body: never, name: string, without: readonly string[]) => unknown;

const CALLS: readonly [RegExp, Change][] = [
  [/^inbounds\/add$/, addInbound],
  [/^inbounds\/del\/(\d+)$/, deleteInbound],
  [/^inbounds\/setEnable\/(\d+)$/, enableInbound],
  [/^clients\/add$/, (rows, body: Entry, _, without) => addClient(rows, body, without)],
  [/^clients\/bulkCreate$/, createClients],
  [/^clients\/bulkDel$/, deleteClients],
  [/^clients\/bulkEnable$/, (rows, body: { emails: string[] }) => enableClients(rows, body.emails, true)],
  [/^clients\/bulkDisable$/, (rows, body: { emails: string[] }) => enableClients(rows, body.emails, false)],
  [/^clients\/updateTraffic\/(.+)$/, setTraffic],
  [/^clients\/(.+)\/externalLinks$/, setLinks],
];

/** A change according to that panel's API description. @returns undefined = it has no such call @throws {Refused} */
export function changeRecorded(rows: RecordedRows, path: string, body: unknown, without: readonly string[]): unknown {
  for (const [pattern, change] of CALLS) {
    const called = pattern.exec(path.replace('/panel/api/', ''));
    if (called !== null) return change(rows, body as never, called[1] ?? '', without) ?? null;
  }
  return undefined;
}

const nextId = (rows: readonly { id: number }[]): number => Math.max(0, ...rows.map(({ id }) => id)) + 1;

/** Fields unknown to this version are dropped; a value of another type is refused as a whole, as its language does. */
function known(body: Json, like: object): Json {
  const kept: Json = {};
  for (const [field, example] of Object.entries(like)) {
    const value = body[field];
    if (value === undefined || value === null) continue;
    if (example !== null && typeof example !== typeof value)
      throw new Refused(
        `json: cannot unmarshal ${typeof value} into Go struct field .${field} of type ${typeof example}`,
      );
    kept[field] = value;
  }
  return kept;
}

function addInbound(rows: RecordedRows, body: Json): RecordedInbound {
  const [like] = rows.inbounds;
  const inbound = { ...known(body, like!), id: nextId(rows.inbounds) } as unknown as RecordedInbound;
  const taken = rows.inbounds.find(({ port, listen }) => port === inbound.port && listen === inbound.listen);
  if (taken !== undefined)
    throw new Refused(`Something went wrong (port ${inbound.port} already used by inbound '${taken.remark}')`);
  if (inbound.tag === '' || rows.inbounds.some(({ tag }) => tag === inbound.tag))
    inbound.tag = `in-${inbound.port}-tcp`;
  inbound.settings.clients ??= [];
  rows.inbounds.push(inbound);
  return inbound;
}

/** Clients stay as rows without an inbound. */
function deleteInbound(rows: RecordedRows, _: unknown, id: string): number {
  const at = rows.inbounds.findIndex((inbound) => inbound.id === Number(id));
  if (at >= 0) rows.inbounds.splice(at, 1);
  for (const client of rows.clients) client.inboundIds = client.inboundIds.filter((each) => each !== Number(id));
  return Number(id);
}

function enableInbound(rows: RecordedRows, { enable }: { enable: boolean }, id: string): void {
  const inbound = rows.inbounds.find((each) => each.id === Number(id));
  if (inbound === undefined) throw new Refused('record not found');
  inbound.enable = enable;
}

/** An existing e-mail with the same subscription id is the same client, on further inbounds. */
function addClient(rows: RecordedRows, { client: body, inboundIds }: Entry, without: readonly string[]): void {
  const email = typeof body['email'] === 'string' ? body['email'] : '';
  if (email === '') throw new Refused('client email is required');
  if (inboundIds.length === 0) throw new Refused('at least one inbound is required');
  const inbounds = inboundIds.map((id) => {
    const inbound = rows.inbounds.find((each) => each.id === id);
    if (inbound === undefined) throw new Refused('record not found');
    return inbound;
  });
  const there = rows.clients.find((row) => row.email.toLowerCase() === email.toLowerCase());
  const isSame = there !== undefined && there.subId !== '' && there.subId === body['subId'];
  if (there !== undefined && !isSame) throw new Refused(`email already in use: ${email}`);
  if (there === undefined && rows.clients.some(({ subId }) => subId !== '' && subId === body['subId']))
    throw new Refused(`subId already in use: ${String(body['subId'])}`);
  const row = there ?? newClient(rows, body, without);
  for (const { id, settings } of inbounds) {
    if (row.inboundIds.includes(id)) continue;
    row.inboundIds.push(id);
    (settings.clients ??= []).push({ ...body, email });
  }
}

function newClient(rows: RecordedRows, { id: uuid, ...body }: Json, without: readonly string[]): RecordedClient {
  const { inboundIds: _, traffic, externalLinks: __, ...like } = rows.clients[0]!;
  const blank = Object.fromEntries(
    Object.entries(like).map(([field, example]) => [
      field,
      typeof example === 'string' ? '' : typeof example === 'number' ? 0 : example,
    ]),
  );
  const row = { ...blank, ...known({ ...body, uuid }, like), id: nextId(rows.clients) } as unknown as RecordedClient;
  for (const field of without) Reflect.deleteProperty(row, field);
  const counters = { ...traffic, email: row.email, up: 0, down: 0, enable: row.enable };
  Object.assign(row, { inboundIds: [], traffic: counters });
  rows.clients.push(row);
  return row;
}

const result = (name: string, count: number, skipped: unknown[]): object =>
  // Left out where nothing was skipped.
  ({ [name]: count, ...(skipped.length > 0 ? { skipped } : {}) });

function createClients(rows: RecordedRows, entries: Entry[], _: string, without: readonly string[]): object {
  const skipped: { email: string; reason: string }[] = [];
  for (const entry of entries)
    try {
      addClient(rows, entry, without);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      skipped.push({ email: String(entry.client['email']), reason: error.message });
    }
  return result('created', entries.length - skipped.length, skipped);
}

function deleteClients(rows: RecordedRows, { emails }: { emails: string[] }): object {
  const skipped = emails.filter((email) => !rows.clients.some((row) => row.email === email));
  const gone = new Set(emails);
  rows.clients.splice(0, rows.clients.length, ...rows.clients.filter(({ email }) => !gone.has(email)));
  for (const { settings } of rows.inbounds)
    if (settings.clients !== undefined) settings.clients = settings.clients.filter(({ email }) => !gone.has(email));
  return result(
    'deleted',
    emails.length - skipped.length,
    skipped.map((email) => ({ email, reason: 'client not found' })),
  );
}

function enableClients(rows: RecordedRows, emails: readonly string[], enable: boolean): object {
  const named = rows.clients.filter(({ email }) => emails.includes(email));
  for (const row of named) row.enable = enable;
  return result('changed', named.length, []);
}

/** For an unknown e-mail nothing happens, and it reports success. */
function setTraffic(
  rows: RecordedRows,
  { upload, download }: { upload: number; download: number },
  email: string,
): void {
  const row = rows.clients.find((each) => each.email === email);
  if (row !== undefined) Object.assign(row.traffic, { up: upload, down: download });
}

function setLinks(rows: RecordedRows, { externalLinks }: { externalLinks: unknown[] }, email: string): void {
  const row = rows.clients.find((each) => each.email === email);
  if (row === undefined) throw new Refused('record not found');
  row.externalLinks = externalLinks;
}
