import { PROTOCOLS } from '../../../src-server/contract/protocol-catalogue.ts';
import type {
  PlannedClient,
  PlannedInbound,
  JobMessage,
  TransferRequest,
  TransferChoices,
  TransferPlan,
} from '../../bridge/jobs.ts';
import { say } from '../jobs/job-failure.ts';
import { collide, isOnNode, transportsIn, type InboundPlace } from '../reading/inbound-places.ts';
import { planThere } from './client-plans.ts';
import type { SourceClient, SourceInbound, TransferReading } from './read-transfer.ts';

const KNOWN: ReadonlySet<string> = new Set(PROTOCOLS);
const MAX_PORT = 65_535;
const SHOWN_CLIENTS = 500;
/** Tags that the panel reserves. */
const MADE_TAG = /^(?:in|inbound)-/;

/** What will be sent, in order of creation. */
export interface PreparedInbound {
  source: SourceInbound;
  port: number;
  tag: string;
  /** With the new panel's certificate files where the old one named files. */
  streamSettings: Record<string, unknown> | null;
  /** Those that the new panel accepts. */
  hosts: SourceInbound['hosts'];
  fallbacks: SourceInbound['fallbacks'];
}
export interface PreparedClient {
  source: SourceClient;
  email: string;
  /** Ids of the old inbounds whose copies it is attached to. */
  fromInboundIds: number[];
  /** Inbounds of the new panel. */
  ontoInboundIds: number[];
  hasNewSubId: boolean;
  /** In the new panel; 0 = none. */
  planId: number;
}
export interface PreparedTransfer {
  inbounds: PreparedInbound[];
  clients: PreparedClient[];
}

interface Names {
  toHost: string;
  isProtected: boolean;
}

/** What a transfer will do, and what it cannot. Pure: computed again for every choice. */
export function planTransfer(
  reading: TransferReading,
  request: TransferRequest,
  choices: TransferChoices,
  { toHost, isProtected }: Names,
): { plan: TransferPlan; prepared: PreparedTransfer } {
  const places = placesOf(reading);
  const inbounds = reading.inbounds.map((source) => planInbound(source, reading, choices, places));
  const going = new Set(inbounds.filter(({ prepared }) => prepared !== null).map(({ planned }) => planned.id));
  const taken = new Set(reading.target.emails);
  const clients = reading.clients.map((source) => planClient(source, { reading, request, choices, going, taken }));
  const prepared: PreparedTransfer = {
    inbounds: inbounds.flatMap((each) => each.prepared ?? []),
    clients: clients.flatMap((each) => each.prepared ?? []),
  };
  const gone = [
    ...reading.goneInbounds.map((id) => say('inboundGone', { id })),
    ...reading.goneClients.slice(0, 20).map((email) => say('clientGone', { email })),
  ];
  const others = clients.filter(({ staysOn }) => staysOn).length;
  const notes = [
    ...(isProtected ? [] : [say('notProtected')]),
    ...gone,
    ...(others > 0 && request.mode === 'move' ? [say('staysOn', { count: others })] : []),
  ];
  const shown = clients.map(({ planned }) => planned);
  const plan: TransferPlan = {
    mode: request.mode,
    inbounds: inbounds.map(({ planned }) => planned),
    clients: shown.toSorted((one, other) => weight(other) - weight(one)).slice(0, SHOWN_CLIENTS),
    inboundCount: prepared.inbounds.length,
    clientCount: prepared.clients.length,
    refusedCount:
      inbounds.filter(({ planned }) => planned.isRefused).length + shown.filter(({ isRefused }) => isRefused).length,
    hostCount: prepared.inbounds.reduce((sum, { hosts }) => sum + hosts.length, 0),
    fetchAgain: fetchAgain(prepared, toHost),
    notes,
    choices,
  };
  return { plan, prepared };
}

const weight = ({ isRefused, notes }: PlannedClient): number => (isRefused ? 2 : 0) + (notes.length > 0 ? 1 : 0);

type Places = (InboundPlace & { name: string })[];
const placesOf = ({ target }: TransferReading): Places =>
  target.inbounds
    .filter((inbound) => !isOnNode(inbound))
    .map(({ port, listen, transports, remark, tag }) => ({
      port,
      listen,
      transports,
      name: remark === '' ? tag : remark,
    }));

const holder = (places: Places, wanted: InboundPlace) => places.find((place) => collide(place, wanted));

function planInbound(source: SourceInbound, reading: TransferReading, choices: TransferChoices, places: Places) {
  const notes: JobMessage[] = [];
  let isRefused = false;
  const refuse = (note: JobMessage): void => {
    notes.push(note);
    isRefused = true;
  };
  if (!KNOWN.has(source.protocol)) refuse(say('protocolUnknown', { protocol: source.protocol }));
  const {
    port,
    notes: portNotes,
    isTaken,
  } = choosePort(source, choices.ports[String(source.id)], places, reading.refusedPlaces.get(source.id));
  notes.push(...portNotes);
  isRefused ||= isTaken;
  const { streamSettings, files } = withCertificate(source.streamSettings, reading.target.certificate);
  if (files === 'missing') refuse(say('certificateFilesMissing'));
  else if (files === 'replaced') notes.push(say('certificateFiles', { file: reading.target.certificate?.file ?? '' }));
  if ((source.nodeId ?? 0) !== 0) notes.push(say('nodeInbound'));
  const { takesHosts, takesFallbacks } = reading.target;
  const hosts = takesHosts ? source.hosts : [];
  const fallbacks = takesFallbacks ? source.fallbacks : [];
  if (!takesHosts && source.hosts.length > 0) notes.push(say('hostsLeft', { count: source.hosts.length }));
  if (!takesFallbacks && source.fallbacks.length > 0)
    notes.push(say('fallbacksUnknown', { count: source.fallbacks.length }));
  const moved = new Set(reading.inbounds.map(({ id }) => id));
  const left = fallbacks.filter(({ childId }) => typeof childId === 'number' && childId > 0 && !moved.has(childId));
  if (left.length > 0) notes.push(say('fallbacksLeft', { count: left.length }));
  if (reading.ruledTags.has(source.tag)) notes.push(say('rulesLeft', { tag: source.tag }));
  const tagIsFree = !reading.target.inbounds.some(({ tag }) => tag === source.tag);
  if (!isRefused) places.push({ ...placeOf(source), port, name: source.remark });
  const planned: PlannedInbound = {
    id: source.id,
    name: source.remark === '' ? source.tag : source.remark,
    protocol: source.protocol,
    fromPort: source.port,
    port,
    clientCount: source.emails.length,
    hostCount: hosts.length,
    isRefused,
    notes,
  };
  const tag = tagIsFree && !MADE_TAG.test(source.tag) ? source.tag : '';
  const prepared: PreparedInbound | null = isRefused ? null : { source, port, tag, streamSettings, hosts, fallbacks };
  return { planned, prepared };
}

const placeOf = ({ listen, port, protocol, settings, streamSettings }: SourceInbound): InboundPlace => ({
  listen,
  port,
  transports: transportsIn(protocol, settings, streamSettings),
});

function choosePort(
  source: SourceInbound,
  chosen: number | undefined,
  places: Places,
  /** The new panel's objection to the old port; undefined: it accepts it, or does not say. */
  words: string | undefined,
): { port: number; notes: JobMessage[]; isTaken: boolean } {
  const { port } = source;
  const place = placeOf(source);
  const wanted = chosen ?? port;
  const other = holder(places, { ...place, port: wanted });
  const isRefused = other === undefined && wanted === port && words !== undefined;
  if (other === undefined && !isRefused) return { port: wanted, notes: [], isTaken: false };
  let free = wanted + 1;
  while (free <= MAX_PORT && holder(places, { ...place, port: free }) !== undefined) free += 1;
  const taken = other === undefined ? say('portRefused', { port, words: words ?? '', proposed: free }) : null;
  // A port chosen by the operator is not changed silently.
  if (chosen !== undefined || free > MAX_PORT)
    return {
      port: wanted,
      notes: [taken ?? say('portTwice', { port: wanted, other: other?.name ?? '' })],
      isTaken: true,
    };
  return {
    port: free,
    notes: [taken ?? say('portTaken', { port, other: other?.name ?? '', proposed: free })],
    isTaken: false,
  };
}

type Section = Record<string, unknown>;

/** Certificate files stay on the old machine: the new panel's own certificate files replace them. */
function withCertificate(
  streamSettings: Section | null,
  own: TransferReading['target']['certificate'],
): { streamSettings: Section | null; files: 'none' | 'replaced' | 'missing' } {
  const tls = streamSettings?.['tlsSettings'] as Section | null | undefined;
  const listed = tls?.['certificates'];
  if (!Array.isArray(listed) || streamSettings === null) return { streamSettings, files: 'none' };
  const certificates = listed as Section[];
  const namesFile = ({ certificateFile }: Section): boolean =>
    typeof certificateFile === 'string' && certificateFile !== '';
  if (!certificates.some(namesFile)) return { streamSettings, files: 'none' };
  if (own === null) return { streamSettings, files: 'missing' };
  const replaced = certificates.map((certificate) =>
    namesFile(certificate) ? { ...certificate, certificateFile: own.file, keyFile: own.key } : certificate,
  );
  return { streamSettings: { ...streamSettings, tlsSettings: { ...tls, certificates: replaced } }, files: 'replaced' };
}

interface ClientContext {
  reading: TransferReading;
  request: TransferRequest;
  choices: TransferChoices;
  /** Inbounds to create. */
  going: ReadonlySet<number>;
  /** E-mails in use, those of this plan included. */
  taken: Set<string>;
}

function planClient(source: SourceClient, { reading, request, choices, going, taken }: ClientContext) {
  const notes: JobMessage[] = [];
  const { target } = reading;
  const fromInboundIds = source.inboundIds.filter((id) => going.has(id));
  const ontoInboundIds = request.emails.includes(source.email) ? request.ontoInboundIds : [];
  let isRefused = false;
  if (target.isOld) {
    notes.push(say('oldTarget'));
    isRefused = true;
  } else if (fromInboundIds.length + ontoInboundIds.length === 0) {
    notes.push(say('noInbound'));
    isRefused = true;
  }
  const email = isRefused ? '' : chooseEmail(source.email, choices.emails[source.email], taken, notes);
  isRefused ||= email === null;
  const owner = target.subIds.get(source.subId);
  const hasNewSubId = source.subId !== '' && owner !== undefined;
  if (hasNewSubId && !isRefused && email !== '') notes.push(say('subIdTaken', { other: owner }));
  const { planId, note: planNote } = planThere(source, reading.plans);
  if (planNote !== null && !isRefused && email !== '') notes.push(planNote);
  if (email !== null && email !== '') taken.add(email.toLowerCase());
  const planned: PlannedClient = {
    email: source.email,
    newEmail: email ?? '',
    usedBytes: source.upBytes + source.downBytes,
    isRefused,
    notes,
  };
  const prepared: PreparedClient | null =
    isRefused || email === null || email === ''
      ? null
      : { source, email, fromInboundIds, ontoInboundIds, hasNewSubId, planId };
  const staysOn = prepared !== null && fromInboundIds.length > 0 && fromInboundIds.length < source.inboundIds.length;
  return { planned, prepared, staysOn };
}

/** @returns empty = it is left out; null = the chosen e-mail is taken, too */
function chooseEmail(
  email: string,
  chosen: string | undefined,
  taken: ReadonlySet<string>,
  notes: JobMessage[],
): string | null {
  const wanted = chosen ?? email;
  if (wanted === '' || !taken.has(wanted.toLowerCase())) return wanted;
  if (chosen !== undefined) {
    notes.push(say('emailTwice', { email: wanted }));
    return null;
  }
  const at = email.lastIndexOf('@');
  const [name, domain] = at <= 0 ? [email, ''] : [email.slice(0, at), email.slice(at)];
  let number = 2;
  while (taken.has(`${name}-${number}${domain}`.toLowerCase())) number += 1;
  const proposed = `${name}-${number}${domain}`;
  notes.push(say('emailTaken', { email, proposed }));
  return proposed;
}

function fetchAgain({ inbounds, clients }: PreparedTransfer, address: string): JobMessage[] {
  if (clients.length === 0) return [say('fetchNothing')];
  const moved = new Set(inbounds.filter(({ source, port }) => source.port !== port).map(({ source }) => source.id));
  const onMoved = clients.filter(({ fromInboundIds }) => fromInboundIds.some((id) => moved.has(id))).length;
  const newIds = clients.filter(({ hasNewSubId }) => hasNewSubId).length;
  return [
    say('fetchNewAddress', { count: clients.length, address }),
    ...(onMoved > 0 ? [say('fetchNewPort', { count: onMoved })] : []),
    ...(newIds > 0 ? [say('fetchNewSubId', { count: newIds })] : []),
  ];
}
