import type { Generated, Kysely, Selectable } from 'kysely';
import type { Actor } from '../contract/act.ts';

/** 0 or 1: SQLite has no booleans, and both dialects store the same. */
export type Flag = 0 | 1;

/**
 * One row per client: everything the accounting loop and the lists read or move. Kept apart from the identity in
 * `clients` so that a tick writes narrow rows; there is no second copy of any of these values.
 */
export interface ClientStateTable {
  clientId: number;
  enable: Flag;
  /** Who disabled it: empty while enabled, `admin` by hand, `loop` for quota or expiry. */
  disabledBy: '' | 'admin' | 'loop';
  /** 0 = unlimited. */
  quotaBytes: number;
  /** 0 = never; negative = duration in ms that starts at first traffic. */
  expiresAtMs: number;
  /** Auto-renew period in days, 0 = none. */
  resetDays: number;
  /** Day of the month on which it renews instead, 1..31, clamped to the month's end; 0 = none. */
  resetDay: Generated<number>;
  upBytes: number;
  downBytes: number;
  /** What resets have taken off the counters so far: together they are the client's traffic since it was created. */
  resetUpBytes: Generated<number>;
  resetDownBytes: Generated<number>;
  /** 0 = never seen. */
  lastOnlineAtMs: number;
  /** Number of attachments. Maintained by the database itself. */
  inboundCount: Generated<number>;
  /**
   * Largest totals per direction, and largest sum, that other panels pushed within a day. Maintained by the database
   * itself.
   */
  peerUpBytes: Generated<number>;
  peerDownBytes: Generated<number>;
  peerTotalBytes: Generated<number>;
  /** When an app last fetched the subscription, 0 = never. */
  lastSubFetchAtMs: Generated<number>;
}

/** A panel that this one manages: how to reach it, its state, and whether it has applied every change. */
export interface NodeTable {
  id: Generated<number>;
  name: string;
  remark: string;
  scheme: 'http' | 'https';
  /** Host name or address, IPv6 without brackets. */
  address: string;
  port: number;
  /** Begins and ends with `/`. */
  basePath: string;
  /** Sealed for this id; empty = none. */
  apiToken: string;
  enable: Flag;
  allowPrivateAddress: Flag;
  /** `enrolled`: through a trunk, where both sides have certificates of this panel's authority. */
  tlsVerifyMode: 'verify' | 'skip' | 'pin' | 'mtls' | 'enrolled';
  /** SHA-256 of the leaf certificate as the operator typed it: hex or base64. */
  pinnedCertSha256: string;
  inboundSyncMode: 'all' | 'selected';
  /** JSON array of tags, empty unless `selected`. */
  inboundTags: string;
  /** Outbound or balancer through which the node is reached; empty = directly. */
  outboundTag: string;
  /** How to treat edits made on the node itself: `follow` takes them over, `show` leaves them to the operator. */
  remoteEdits: Generated<'follow' | 'show'>;
  /** Versions before the last update made from here; empty = none was made. */
  coreVersionBefore: Generated<string>;
  panelVersionBefore: Generated<string>;
  /** GUID the node's panel reports; a failed probe does not clear it. */
  guid: Generated<string>;
  status: Generated<'unknown' | 'online' | 'offline'>;
  /** Time of the last probe, successful or not; 0 = never. */
  lastHeartbeatAtMs: Generated<number>;
  latencyMs: Generated<number>;
  coreVersion: Generated<string>;
  /** `running`, `stop` or `error`, as reported by the node. */
  coreState: Generated<string>;
  coreError: Generated<string>;
  panelVersion: Generated<string>;
  cpuPct: Generated<number>;
  memPct: Generated<number>;
  uptimeSec: Generated<number>;
  netUpBytesPerSec: Generated<number>;
  netDownBytesPerSec: Generated<number>;
  /** Why the last probe failed; empty after a good one. */
  lastError: Generated<string>;
  /** The same with its code, as JSON; empty = none. */
  lastRefusal: Generated<string>;
  /** 1 while a change waits to be delivered. */
  configDirty: Generated<Flag>;
  /** Version of the node's desired state: ms of the last change, and always larger than the previous one. */
  configDirtyAtMs: Generated<number>;
  /** What the node refused of the last delivery; empty = nothing. */
  syncError: Generated<string>;
  /** The same with its codes, as a JSON array. */
  syncRefusals: Generated<string>;
  /** Its last response in order, and the previous boots, as JSON; empty = unknown. */
  answerOrder: Generated<string>;
  /** UUID in the certificate of an enrolled node; empty = not enrolled. */
  trunkId: Generated<string>;
  /** Last address of an enrolled node; empty = it never connected. */
  seenAddress: Generated<string>;
  /** Where an enrolled node last said that it listens, as one text; empty = it never said. */
  seenPlace: Generated<string>;
  createdAtMs: number;
  updatedAtMs: number;
}

export interface Schema {
  nodes: NodeTable;
  /** Tickets with which hosts become nodes of this panel. */
  enrolments: {
    id: string;
    /** Hex SHA-256. */
    secretHash: string;
    /** Name of the future node; empty = its host name. */
    name: string;
    /** The node that enrolled with it, or the one that is to enrol again; null = none yet. */
    nodeId: number | null;
    /** Address under which hosts reach this panel. */
    url: string;
    state: 'open' | 'used' | 'cancelled';
    createdAtMs: number;
    expiresAtMs: number;
  };
  /** Panels that this one has enrolled with. */
  masters: {
    trunkId: string;
    name: string;
    url: string;
    /** Its address before it moved, tried too; empty = it has not moved. */
    formerUrl: Generated<string>;
    /** PEM; a panel that presents a certificate of it may manage this one. */
    authority: string;
    /** PEM: the certificate that this panel presents there. */
    certificate: string;
    /** PEM, sealed for this id. */
    key: string;
    enrolledAtMs: number;
  };
  /** Panels that share a database on a server; one of them is active. */
  panelServers: {
    /** Id of the data folder. */
    id: string;
    /** Name of the machine. */
    name: string;
    /** Address of its web interface. */
    address: string;
    /** A constant, sealed: a key that does not open it is another key. */
    keyProof: string;
    /** GUID under which its core counts in `trafficSources`. */
    sourceGuid: string;
    activeSinceMs: number;
    /** Set while it restarts: no other panel takes over before this time, by the clock of the database server. */
    keptUntilMs: Generated<number>;
    /** When it was last connected, to the minute, by the clock of the database server; 0 = not known. */
    seenAtMs: Generated<number>;
    /** JSON: state of its core, and what that had to leave out; empty = it runs none beside the active panel. */
    coreReport: Generated<string>;
  };
  /** Events. Members of a summary are reported by it, and individually only to those whom they concern. */
  events: { id: Generated<number>; kind: string; atMs: number; facts: string; summaryId: number | null };
  /** Pending notifications, one row per channel and event; `done` rows keep an event from being sent twice. */
  deliveries: {
    channel: string;
    eventId: number;
    state: 'waiting' | 'done' | 'dead';
    attempts: number;
    dueAtMs: number;
    lastError: string;
  };
  /** What a client has already been notified of: the expiry, or the percent of the quota. */
  clientMailStops: { clientId: number; atMs: number };
  clientNotices: { clientId: number; kind: string; mark: number };
  /** The same for things other than clients: the version, the days left of a certificate. */
  eventMarks: { key: string; value: string };
  /** Certificates that this panel makes or obtains; their files are in the data folder. */
  certificates: {
    id: Generated<number>;
    /** Names its file, and is never reused. */
    fileId: string;
    name: string;
    /** Folded, for comparing. */
    nameKey: string;
    /** The order, as JSON. */
    wanted: string;
    /** Key of the external account binding, sealed for this `fileId`; empty = none. */
    eabHmacKey: string;
    /** Whether its file ever existed: only then it is renewed automatically. */
    isObtained: Flag;
    /** Pin of the certificate that was revoked; empty = none. */
    revokedPin: string;
    /** Failed orders in a row. */
    failures: number;
    /** No automatic order before this time. */
    nextTryAtMs: number;
    /** The last failure as JSON; empty = the last order went well. */
    lastFailure: string;
    /** When a command asked the running panel to obtain it; 0 = no command waits. */
    askedAtMs: Generated<number>;
    createdAtMs: number;
    updatedAtMs: number;
  };
  webhooks: {
    id: Generated<number>;
    name: string;
    url: string;
    /** Sealed for this id; empty = none. */
    secret: string;
    /** Comma list. */
    kinds: string;
    enabled: Flag;
    allowPrivate: Flag;
    /** Threshold of `cpu.high`. */
    cpuPercent: number;
    createdAtMs: number;
    updatedAtMs: number;
  };
  /** The last deliveries of each webhook with their result. `status` 0 = no response. */
  webhookAttempts: {
    id: Generated<number>;
    webhookId: number;
    eventId: number;
    kind: string;
    atMs: number;
    tookMs: number;
    status: number;
    answer: string;
    error: string;
    body: string;
  };
  /** Inbounds that a node should have, or still has after they were deleted here. */
  nodeInbounds: {
    inboundId: number;
    nodeId: number;
    /** Its id on the node; 0 = not delivered yet. */
    remoteId: Generated<number>;
    remoteTag: Generated<string>;
    /** Version of the node in which it last changed, 0 = delivered. */
    changedAtMs: Generated<number>;
    /** The last reset of its counters that the node has carried out. */
    resetDeliveredAtMs: Generated<number>;
    /** When the node last reset its counters, as last read; null = unknown. */
    remoteResetAtMs: Generated<number | null>;
    /** The deletion on the node is confirmed, however many others go with it. */
    isDeletionConfirmed: Generated<Flag>;
  };
  /** Clients that a node should have, or still has, with their last counters read there. */
  nodeClients: {
    nodeId: number;
    clientId: number;
    /** Name under which the node knows the client; empty = not delivered yet. */
    email: Generated<string>;
    emailKey: Generated<string>;
    /** Baseline: the last counters read there, null = the next reading becomes it. */
    upBytes: number | null;
    downBytes: number | null;
    /** The same of its counters that no reset touches; null = the node reported none. */
    lifetimeUpBytes: Generated<number | null>;
    lifetimeDownBytes: Generated<number | null>;
    /** Version of the node in which the client last changed, 0 = delivered. */
    changedAtMs: Generated<number>;
    /** Whether its counters were reset here and the node's have to follow. */
    isResetDue: Generated<Flag>;
    /** What began the period that the due reset belongs to. */
    resetCause: Generated<'request' | 'renewal' | 'schedule'>;
    /** The deletion on the node is confirmed, however many others go with it; every new mark withdraws that. */
    isDeletionConfirmed: Generated<Flag>;
    /** How far to end its open sessions there once the node has its change; empty = the node ends those it can. */
    endSessions: Generated<'' | 'leave' | 'readd' | 'restart' | 'asNeeded'>;
  };
  /** Inbounds and clients as they were last delivered to a node or taken over from it. */
  nodeApplied: {
    nodeId: number;
    kind: 'inbound' | 'client';
    /** Id of the inbound or client here. */
    itemId: number;
    /** JSON. */
    fields: string;
  };
  /** Deletions meant for a node at whose address another GUID answers; see `repository-start-over.ts`. */
  suspendedDeletions: {
    nodeId: number;
    kind: 'inbound' | 'client';
    /** Id that the inbound or client had here. */
    itemId: number;
    /** Id of the inbound on the node; 0 for clients. */
    remoteId: number;
    /** Tag or e-mail on the node. */
    name: string;
    /** Folded e-mail; the tag again for inbounds. */
    nameKey: string;
  };
  /** Edits made on a node that are neither taken over nor overwritten until the operator decides. */
  nodeDrift: {
    nodeId: number;
    kind: 'inbound' | 'client';
    /** Tag or folded e-mail on the node. */
    name: string;
    /** For a client, the inbound on which it was seen; 0 = no single inbound. */
    inboundId: Generated<number>;
    /** Whether the operator leaves it alone; otherwise it was only seen. */
    isLeft: Flag;
  };
  settings: { key: string; value: string };
  admins: {
    id: Generated<number>;
    username: string;
    passwordHash: string;
    /** Raised to end every session of this admin. */
    loginEpoch: number;
    /** Last accepted TOTP step, so that a code works once. */
    lastTotpStep: number;
    createdAtMs: number;
    updatedAtMs: number;
  };
  sessions: {
    /** SHA-256 of the cookie value: a stolen database opens no session. */
    idHash: string;
    adminId: number;
    loginEpoch: number;
    csrfToken: string;
    createdAtMs: number;
    expiresAtMs: number;
    address: string;
    userAgent: string;
  };
  apiTokens: {
    id: Generated<number>;
    name: string;
    /** Hex SHA-256 of the token. */
    tokenHash: string;
    enabled: Flag;
    createdAtMs: number;
  };
  inbounds: {
    id: Generated<number>;
    tag: string;
    remark: string;
    enable: Flag;
    /** As in {@link ClientStateTable.disabledBy}. */
    disabledBy: '' | 'admin' | 'loop';
    listen: string;
    port: number;
    protocol: string;
    /** JSON without clients: those are rows. */
    settings: string;
    /** JSON, or empty when the protocol has none. */
    streamSettings: string;
    sniffing: string;
    expiresAtMs: number;
    quotaBytes: number;
    upBytes: number;
    downBytes: number;
    trafficReset: string;
    lastTrafficResetAtMs: number;
    nodeId: number | null;
    /** Id in `panelServers` of the server whose core runs it; null = the active panel's. */
    serverId: Generated<string | null>;
    originNodeGuid: string;
    createdAtMs: number;
    updatedAtMs: number;
  };
  inboundFallbacks: {
    id: Generated<number>;
    masterId: number;
    /** 0 = no child, `dest` names the target. */
    childId: number;
    name: string;
    alpn: string;
    path: string;
    dest: string;
    xver: number;
    sortOrder: number;
  };
  clients: {
    id: Generated<number>;
    email: string;
    /** `foldText(email)`: used for uniqueness and search. */
    emailKey: string;
    subId: string;
    uuid: string;
    password: string;
    auth: string;
    flow: string;
    security: string;
    /** JSON `{tag}` or empty. */
    reverse: string;
    limitIp: number;
    tgId: number;
    groupName: string;
    comment: string;
    createdAtMs: number;
    updatedAtMs: number;
    /** Folded e-mail, subId and comment, separated by U+001F: the text that the list searches. */
    searchKey: Generated<string>;
    /** Its plan, 0 = none. A deleted plan counts as none. */
    planId: Generated<number>;
  };
  /** Named sets of what a client gets. */
  clientPlans: {
    id: Generated<number>;
    name: string;
    /** Folded, for comparing. */
    nameKey: string;
    /** 0 = unlimited. */
    quotaBytes: number;
    /** Length of the term, 0 = unlimited. */
    days: number;
    startsAtFirstUse: Flag;
    resetDays: number;
    resetDay: number;
    limitIp: number;
    /** Empty = the plan assigns no group. */
    groupName: string;
    flow: string;
    createdAtMs: number;
    updatedAtMs: number;
  };
  /** Inbounds to which a plan attaches its clients; none = the plan does not affect inbounds. */
  clientPlanInbounds: { planId: number; inboundId: number; createdAtMs: number };
  clientStates: ClientStateTable;
  clientInbounds: {
    clientId: number;
    inboundId: number;
    flowOverride: string;
    /** Set when the record's password does not fit this inbound's cipher. */
    passwordOverride: string;
    createdAtMs: number;
  };
  /** Stored groups; a label in use that has no row here is a group too. */
  clientGroups: {
    name: string;
    /** Subtracted from the members' sum for display; negative keeps the usage of members that left counted. */
    upBaselineBytes: number;
    downBaselineBytes: number;
    createdAtMs: number;
    updatedAtMs: number;
  };
  clientExternalLinks: {
    id: Generated<number>;
    clientId: number;
    kind: 'link' | 'subscription';
    value: string;
    remark: string;
    sortIndex: number;
    createdAtMs: number;
  };
  /** Result of the last fetch of a provider's subscription; an empty error = success. */
  remoteSubscriptions: { url: string; fetchedAtMs: number; error: string };
  /** Clients' usage across other panels' nodes, as those panels report it; a row counts for a day. */
  peerTotals: { masterGuid: string; clientId: number; upBytes: number; downBytes: number; updatedAtMs: number };
  /** Counters kept from a deleted client; adopted when the e-mail comes back. */
  keptTraffics: { emailKey: string; email: string; upBytes: number; downBytes: number; lastOnlineAtMs: number };
  /** Where counted bytes come from: this panel's core, a node, or a bookkeeping entry. */
  trafficSources: {
    id: Generated<number>;
    kind: 'core' | 'node' | 'reset' | 'manual' | 'opening';
    /** GUID of the panel whose core counts; empty for bookkeeping. */
    guid: string;
    /** Boot whose counters the baselines belong to; a new one drops them. */
    bootId: string;
  };
  /** Known counters of a source, with their owner and the last absolute value read. */
  counterBaselines: {
    id: Generated<number>;
    sourceId: number;
    kind: 'user' | 'inbound' | 'outbound';
    /** E-mail or tag as spelled in the core. */
    subject: string;
    /** Client or inbound id the bytes go to; null = no known owner under this name. */
    ownerId: number | null;
    /** Written in the transaction that adds the difference. */
    upBytes: Generated<number>;
    downBytes: Generated<number>;
  };
  /** Counters of clients whose owner changed since the last reading; a trigger fills it. */
  changedOwners: { baselineId: number };
  /** Clients whose search key changed or who were deleted, the last 2,000 of them; triggers fill it. */
  changedSearchKeys: { version: Generated<number>; clientId: number };
  /**
   * Logically append-only: a client's counters equal the sum of its rows, resets included as negative entries.
   */
  trafficLedger: {
    /** Length of the bucket: 300, 3,600 or 86,400. */
    spanSec: number;
    bucketStartSec: number;
    clientId: number;
    sourceId: number;
    upBytes: number;
    downBytes: number;
  };
  /** Sums for charts by source: written with the ledger, in its transactions. */
  trafficTotals: {
    kind: 'all' | 'group' | 'inbound';
    /** Name of the group, id of the inbound; empty for the total. */
    subject: string;
    /** 900, or 86,400 for days of the panel's zone. */
    spanSec: number;
    bucketStartSec: number;
    sourceId: number;
    upBytes: number;
    downBytes: number;
  };
  /** Clients' traffic on a day of the panel's zone, both directions together. */
  clientDayPages: {
    daySec: number;
    /** Holds the clients with id / 1024 = page. */
    page: number;
    /** 1,024 little-endian 64-bit floats in bytes; the one at k belongs to client page * 1024 + k. */
    totals: Uint8Array;
  };
  /** How far the ledger is included in these: the bucket, and its first page that is not. */
  clientDayMark: { id: number; bucketStartSec: number; page: number };
  /** An admin's view of a list (by id; empty = API tokens); `view` is JSON as in the contract. */
  savedViews: { owner: string; page: string; name: string; view: string; updatedAtMs: number };
  outboundTraffics: { tag: string; upBytes: number; downBytes: number };
  /** Deltas too large to be real, kept apart until an operator decides. */
  quarantinedDeltas: {
    id: Generated<number>;
    atMs: number;
    sourceId: number;
    kind: 'user' | 'inbound' | 'outbound';
    subject: string;
    upBytes: number;
    downBytes: number;
    intervalMs: number;
    /** Client or inbound the counter belonged to then; null = none. */
    ownerId: number | null;
  };
  /** Remote lists of servers, with the content of their last good response. */
  outboundSubs: {
    id: Generated<number>;
    remark: string;
    url: string;
    enabled: Flag;
    allowPrivate: Flag;
    prepend: Flag;
    tagPrefix: string;
    updateIntervalSec: number;
    /** Lower = earlier; then by id. */
    priority: number;
    /** Last fetch that succeeded, 0 = none. */
    lastUpdatedAtMs: number;
    lastError: string;
    outboundCount: number;
    /** JSON array of outbounds with their tags: those that run. */
    outbounds: string;
    /** JSON array of `{tag, reason}`. */
    leftOut: string;
    /** JSON array: tags that servers keep over refreshes. */
    knownTags: string;
    createdAtMs: number;
    updatedAtMs: number;
  };
  /** Requested changes; docs/journal.md. */
  journal: {
    id: Generated<number>;
    atMs: number;
    actor: Actor;
    name: string;
    address: string;
    verb: string;
    requestId: string;
    /** JSON: its subjects, see {@link EntryPart}. */
    parts: string;
    rowCount: number;
    /** Whether anything in it can be undone. */
    canUndo: Flag;
    /** Entry that it undoes, 0 = none. */
    undoOf: number;
    /** Hash of its rows, and hash of all this with the previous entry's hash. */
    rowsHash: string;
    previousHash: string;
    hash: string;
    /** Entry that undid it, 0 = still in effect. */
    undoneBy: Generated<number>;
    /** Some of its deletions were restored separately. */
    isPartlyRestored: Generated<Flag>;
    /** Entry that permanently deleted rows of it, 0 = none. */
    erasedBy: Generated<number>;
  };
  journalRows: { entryId: number; tableName: string; rowKey: string; before: string | null; after: string | null };
  /** Deleted clients, inbounds and hosts that can be restored, with the entry that deleted them. */
  recycleBin: {
    kind: 'client' | 'inbound' | 'host';
    itemId: number;
    name: string;
    entryId: number;
    deletedAtMs: number;
  };
  /** Addresses under which clients reach an inbound. */
  hosts: {
    id: Generated<number>;
    /** Shared by rows that were added together. */
    groupId: string;
    inboundId: number;
    sortOrder: number;
    enable: Flag;
    /** Empty = the inbound's. */
    address: string;
    /** 0 = the inbound's. */
    port: number;
    /** JSON: name, tags and what the host changes in links. */
    content: string;
    createdAtMs: number;
    updatedAtMs: number;
  };
  /** Where clients were seen, for half an hour; one row per client, observer and address. */
  clientAddresses: {
    emailKey: string;
    /** GUID of the panel whose core saw it; empty = passed on by another panel. */
    guid: string;
    ip: string;
    email: string;
    seenAtSec: number;
  };
  /** Histories of the machine and the core; a row holds the samples of about a minute. */
  metricSamples: {
    kind: 'system' | 'core';
    /** Unix seconds of its first sample. */
    firstAtSec: number;
    /** JSON columns by the name of the figure. */
    samples: string;
  };
}

/** A connection on which the panel's tables are read: the reader's, or a transaction. */
export type Db = Kysely<Schema>;
/** A row of a table as it is read. */
export type Row<Table extends keyof Schema> = Selectable<Schema[Table]>;
