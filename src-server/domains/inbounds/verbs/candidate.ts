import { DomainError } from '../../../contract/domain-error.ts';
import { ValidationError, type ValidationIssue } from '../../../contract/envelope.ts';
import type { JsonObject } from '../../../contract/json.ts';
import { parseJsonObject } from '../../../contract/json-text.ts';
import {
  checkInbound,
  normaliseInbound,
  supportsClients,
  transportsOf,
} from '../../../core/config/inbound/inbound-rules.ts';
import type { InboundDraft } from '../../../core/config/inbound/inbound-draft.ts';
import { inboundIssue } from '../field-texts.ts';
import type { InboundBody } from '../contract.ts';
import type { Listener, Transport } from '../ports/port-conflicts.ts';
import type { InboundRow } from '../repository.ts';

/** The running form of an inbound: normalised, without clients. */
export interface InboundShape extends InboundDraft {
  transports: Transport[];
}

/** An inbound as sent: its running form, and the clients sent along. */
export interface Candidate extends InboundShape {
  /** `settings.clients`; null when the body has none, which leaves existing clients unchanged. */
  entries: JsonObject[] | null;
}

/** Maximum size of a stored section in characters; an inbound without its clients has a few thousand. */
const MAX_SECTION_CHARS = 1_000_000;
/** Node inbounds serve clients over the network; these protocols serve the machine or LAN they run on. */
const LOCAL_ONLY = new Set(['http', 'mixed', 'tunnel', 'tun']);

/**
 * @throws {DomainError} `inbound.settingsEmpty`, `inbound.clientsUnsupported`
 * @throws {ValidationError} with every issue of the configuration.
 */
export function readCandidate(body: InboundBody): Candidate {
  if (body.settings === null) throw new DomainError('inbound.settingsEmpty');
  const issues: ValidationIssue[] = [];
  const { clients, ...settings } = body.settings;
  const entries = readEntries(clients, issues);
  const { protocol, listen, port, streamSettings, sniffing } = body;
  const shape = normaliseInbound({ protocol, listen, port, settings, streamSettings, sniffing });
  for (const section of ['settings', 'streamSettings', 'sniffing'] as const) {
    if (JSON.stringify(shape[section]).length > MAX_SECTION_CHARS)
      issues.push(inboundIssue(section, 'inboundField.tooLong', { max: MAX_SECTION_CHARS }));
  }
  issues.push(...checkInbound(shape));
  if (issues.length > 0) throw new ValidationError(issues);
  if (entries !== null && entries.length > 0 && !supportsClients(shape.protocol))
    throw new DomainError('inbound.clientsUnsupported', { protocol: shape.protocol });
  return { ...shape, transports: transportsOf(shape), entries };
}

function readEntries(clients: JsonObject[string] | undefined, issues: ValidationIssue[]): JsonObject[] | null {
  if (clients === undefined || clients === null) return null;
  if (!Array.isArray(clients)) {
    issues.push(inboundIssue('settings.clients', 'inboundField.array'));
    return null;
  }
  for (const [index, entry] of clients.entries())
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry))
      issues.push(inboundIssue(`settings.clients[${index}]`, 'inboundField.object'));
  return clients as JsonObject[];
}

/** E-mails sent with the inbound; entries without one are refused later. */
export function emailsOf({ entries }: Candidate): string[] {
  return (entries ?? []).flatMap(({ email }) => (typeof email === 'string' && email !== '' ? [email] : []));
}

/** A stored row in its running form; sections that are not valid JSON count as empty. */
export function shapeOfRow(row: InboundRow): InboundShape {
  const shape = {
    protocol: row.protocol,
    listen: row.listen,
    port: row.port,
    settings: parseJsonObject(row.settings) ?? {},
    streamSettings: parseJsonObject(row.streamSettings),
    sniffing: parseJsonObject(row.sniffing),
  };
  return { ...shape, transports: transportsOf(shape) };
}

export function placeOf(shape: InboundShape, { nodeId, serverId }: Pick<Listener, 'nodeId' | 'serverId'>): Listener {
  return { port: shape.port, listen: shape.listen, nodeId, serverId, transports: shape.transports };
}

/** The node of an inbound, or null if its protocol cannot run on one. */
export function effectiveNodeId(protocol: string, nodeId: number | null): number | null {
  return LOCAL_ONLY.has(protocol) ? null : nodeId;
}

/** The columns that hold the running form of an inbound. */
export function shapeColumns(shape: InboundShape) {
  const text = (section: JsonObject | null) => (section === null ? '' : JSON.stringify(section));
  return {
    protocol: shape.protocol,
    listen: shape.listen,
    port: shape.port,
    settings: JSON.stringify(shape.settings),
    streamSettings: text(shape.streamSettings),
    sniffing: text(shape.sniffing),
  };
}
