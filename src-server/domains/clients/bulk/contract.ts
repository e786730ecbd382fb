import * as z from 'zod';
import { endpoint } from '../../../contract/endpoint.ts';
import { Reason } from '../../../contract/envelope.ts';
import { MAX_BYTES } from '../../../contract/fields/port.ts';
import { queryFlag } from '../../../contract/fields/query-values.ts';
import {
  Attachments,
  ClientRecord,
  MAX_TIME_MS,
  MAX_DAYS,
  ChangeNotes,
  Notes,
  InboundIds,
  OpenSessions,
  CLIENTS_PATH,
} from '../contract.ts';

/** E-mails of a bulk call; blanks and duplicates are dropped. */
const Emails = z.array(z.string().max(1024)).max(500_000).default([]);
/** Items that a bulk call skipped. */
export const Skipped = z.array(Reason.extend({ email: z.string() }));
const Moved = z.int().min(-MAX_BYTES).max(MAX_BYTES).default(0);

export const bulkAdjustClients = endpoint('POST', `${CLIENTS_PATH}/bulkAdjust`, {
  summary:
    'Moves or sets the expiry, moves the quota and sets the flow of many clients; what is unlimited is not moved.',
  body: z.object({
    emails: Emails,
    addDays: z.int().min(-MAX_DAYS).max(MAX_DAYS).default(0),
    /** Expiry set for all of them, in ms since 1970, before `addDays` moves it; 0 = unchanged. */
    expiryTime: z.int().min(0).max(MAX_TIME_MS).default(0),
    addBytes: Moved,
    /** `none` clears, a vision flow sets it where supported, anything else leaves it unchanged. */
    flow: z.string().max(64).default(''),
  }),
  result: Notes.extend({ adjusted: z.int(), skipped: Skipped }),
});

/** Changes of more clients than this are not remembered. */
export const MAX_REMEMBERED = 2_000;
const Remember = { remember: queryFlag };
const Switched = Notes.extend({
  changed: z.int(),
  skipped: Skipped,
  /**
   * With `remember=1`: clients that the opposite call would restore; empty when there are too many. Clients disabled by
   * accounting are not included: it disables them again by itself.
   */
  turned: z.array(z.string()).optional(),
});

export const bulkEnableClients = endpoint('POST', `${CLIENTS_PATH}/bulkEnable`, {
  summary: 'Enables clients; depleted ones go off again at the next round of accounting.',
  query: z.object(Remember),
  body: z.object({ emails: Emails }),
  result: Switched,
});

export const bulkDisableClients = endpoint('POST', `${CLIENTS_PATH}/bulkDisable`, {
  summary: 'Disables clients by hand and ends their open sessions as far as asked for.',
  query: z.object({ ...OpenSessions, ...Remember }),
  body: z.object({ emails: Emails }),
  result: Switched,
});

export const bulkDeleteClients = endpoint('POST', `${CLIENTS_PATH}/bulkDel`, {
  summary: 'Deletes clients from every inbound.',
  query: z.object(OpenSessions),
  body: z.object({
    emails: Emails,
    /** The counters are kept, and clients added later with these names continue them. */
    keepTraffic: z.boolean().default(false),
  }),
  result: Notes.extend({ deleted: z.int(), skipped: Skipped }),
});

export const bulkCreateClients = endpoint('POST', `${CLIENTS_PATH}/bulkCreate`, {
  summary: 'Creates many clients; each item is read and refused by itself.',
  body: z.array(z.unknown()).max(200_000),
  result: Notes.extend({ created: z.int(), skipped: Skipped }),
});

export const bulkAttachClients = endpoint('POST', `${CLIENTS_PATH}/bulkAttach`, {
  summary: 'Attaches many clients to many inbounds.',
  body: z.object({ emails: Emails, inboundIds: InboundIds }),
  result: Notes.extend({
    /** Clients newly attached to an inbound. */
    attached: z.array(z.string()),
    /** Clients that were already attached to all of them. */
    skipped: z.array(z.string()),
    errors: z.array(z.string()),
  }),
});

export const bulkDetachClients = endpoint('POST', `${CLIENTS_PATH}/bulkDetach`, {
  summary: 'Takes many clients off many inbounds; the clients stay.',
  query: z.object(OpenSessions),
  body: z.object({ emails: Emails, inboundIds: InboundIds }),
  result: Notes.extend({
    /** Clients detached from an inbound. */
    detached: z.array(z.string()),
    /** Clients attached to none of them. */
    skipped: z.array(z.string()),
    errors: z.array(z.string()),
  }),
});

export const bulkResetClientTraffic = endpoint('POST', `${CLIENTS_PATH}/bulkResetTraffic`, {
  summary: 'Zeroes the counters of many clients and enables them.',
  body: z.object({ emails: Emails }),
  result: Notes.extend({ affected: z.int() }),
});

export const resetAllClientTraffics = endpoint('POST', `${CLIENTS_PATH}/resetAllTraffics`, {
  summary: 'Zeroes the counters of every client; those that only their quota had disabled come back.',
  result: ChangeNotes,
  message: 'client.allTrafficReset',
});

export const deleteDepletedClients = endpoint('POST', `${CLIENTS_PATH}/delDepleted`, {
  summary: 'Deletes clients whose quota is used up or whose expiry passed, except those that renew by themselves.',
  result: Notes.extend({ deleted: z.int() }),
});

export const deleteOrphanClients = endpoint('POST', `${CLIENTS_PATH}/delOrphans`, {
  summary: 'Deletes clients that are attached to no inbound, with all that belongs to them.',
  result: Notes.extend({ deleted: z.int() }),
});

/** A client as `add` and `import` take it. */
export const ExportedClient = z.object({
  client: ClientRecord.omit({ recordId: true, uuid: true, planId: true, createdAt: true, updatedAt: true }).extend({
    /** UUID, the credential of VLESS and VMess. */
    id: z.string(),
    /** Only for a client that its limits have disabled: new limits enable it again. */
    disabledBy: z.literal('loop').optional(),
    created_at: z.int(),
    updated_at: z.int(),
  }),
  inboundIds: z.array(z.int()),
  attachments: Attachments.optional(),
});
export type ExportedClient = z.infer<typeof ExportedClient>;

export const exportClients = endpoint('GET', `${CLIENTS_PATH}/export`, {
  summary: 'Every client with its secrets and inbounds, for a later import. Usage is not part of it.',
  result: z.array(ExportedClient),
});

export const importClients = endpoint('POST', `${CLIENTS_PATH}/import`, {
  summary: 'Creates the clients of an export; existing e-mails are never overwritten.',
  body: z.object({ data: z.string().max(64 * 1024 * 1024) }),
  result: Notes.extend({ created: z.int(), skipped: Skipped }),
});
