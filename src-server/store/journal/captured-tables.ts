import type { ItemKind } from '../../contract/act.ts';

/**
 * A table whose changes stand in the journal, column by column. New columns that an operator changes belong here; a test
 * fails for tables of clients, inbounds, hosts and groups whose columns are named nowhere.
 */
export interface CapturedTable {
  name: string;
  kind: ItemKind;
  /** Primary key, and what an entry calls its row: the value itself, or a JSON array of several. */
  keys: readonly string[];
  /** A key that is text and made by people, so that an insert may meet a row that is there. */
  isNamed?: boolean;
  /** Changed by operators; an undo puts the old value back where the one that the entry left still stands. */
  values: readonly string[];
  /** Counters: an undo adds what the entry took away, whatever was counted since. */
  sums?: readonly string[];
  /** Columns whose change is recorded; `values` unless said otherwise. */
  watched?: readonly string[];
  /** Come back with a deleted row, and are no change by themselves. */
  carried?: readonly string[];
  /** Where something else stands by now, it stays, and that is no reason to refuse. */
  soft?: readonly string[];
  /** SQL over the row `t` and the entry's row `r`: when that is so; always, unless said otherwise. */
  softWhen?: string;
  /** Columns that came after the first journals, with the SQL of what rows noted before have there. */
  later?: Readonly<Record<string, string>>;
  /** Rows that hang on another one: column and the table whose only key it names. */
  parents?: Readonly<Record<string, string>>;
  /** Columns that name a row of another table and mean nothing once it is gone. That it was made is not taken back while one names it. */
  marks?: Readonly<Record<string, string>>;
  /** Column under which an item of this kind is known. */
  item: string;
  /** Goes along with other changes; alone it is none, and what is there by now stays. */
  isSide?: boolean;
  /** Only noted, never taken back: what undo needs of it is not kept. */
  isNoted?: boolean;
  /** SQL expressions over `ROW` that stand in place of these columns: secrets that are told apart, not kept. */
  masked?: Readonly<Record<string, string>>;
  /** SQL over `ROW`: rows for which nothing is recorded. */
  unless?: string;
}

/** Marks that the panel keeps for itself among the settings. */
const OWN_MARKS = [
  'secret',
  'panelGuid',
  'tunnelLastUpdate',
  'eventsReadUpTo',
  'tgBotLastUpdate',
  'directoryMemory',
  'journalAnchor',
  'checklistDismissed',
  'nodeMtlsCaCertPem',
  'nodeMtlsCaKeyPem',
  'nodeMtlsClientCertPem',
  'nodeMtlsClientKeyPem',
  'nodeMtlsClientCertSha256',
];
/** Settings with which a panel is entered or reached: noted, and changed only where proofs are asked for. */
export const NOTED_SETTINGS: readonly string[] = [
  'twoFactorEnable',
  'twoFactorToken',
  'tunnel',
  'vpn',
  'nodeMtlsClientCAPem',
];
export const TEMPLATE_SETTINGS: readonly string[] = ['coreTemplateConfig', 'coreOutboundTestUrl'];
/** Of a secret only that it changed. */
const tail = (column: string): string => `substr(ROW.${column}, -6)`;

/** In the order in which rows are put back: those that others hang on come first. */
export const CAPTURED: readonly CapturedTable[] = [
  {
    name: 'inbounds',
    kind: 'inbound',
    keys: ['id'],
    item: 'id',
    values: [
      'tag',
      'remark',
      'enable',
      'disabledBy',
      'listen',
      'port',
      'protocol',
      'settings',
      'streamSettings',
      'sniffing',
      'expiresAtMs',
      'quotaBytes',
      'trafficReset',
      'lastTrafficResetAtMs',
      'nodeId',
      'serverId',
    ],
    sums: ['upBytes', 'downBytes'],
    carried: ['originNodeGuid', 'createdAtMs', 'updatedAtMs'],
  },
  {
    name: 'clientGroups',
    kind: 'group',
    keys: ['name'],
    isNamed: true,
    item: 'name',
    values: [],
    sums: ['upBaselineBytes', 'downBaselineBytes'],
    watched: ['name', 'upBaselineBytes', 'downBaselineBytes'],
    carried: ['createdAtMs', 'updatedAtMs'],
  },
  {
    name: 'clientPlans',
    kind: 'plan',
    keys: ['id'],
    item: 'id',
    values: [
      'name',
      'nameKey',
      'quotaBytes',
      'days',
      'startsAtFirstUse',
      'resetDays',
      'resetDay',
      'limitIp',
      'groupName',
      'flow',
    ],
    carried: ['createdAtMs', 'updatedAtMs'],
  },
  {
    name: 'clientPlanInbounds',
    kind: 'plan',
    keys: ['planId', 'inboundId'],
    item: 'planId',
    values: [],
    carried: ['createdAtMs'],
    parents: { planId: 'clientPlans', inboundId: 'inbounds' },
  },
  {
    name: 'clients',
    kind: 'client',
    keys: ['id'],
    item: 'id',
    values: [
      'email',
      'emailKey',
      'subId',
      'uuid',
      'password',
      'auth',
      'flow',
      'security',
      'reverse',
      'limitIp',
      'tgId',
      'groupName',
      'comment',
      'searchKey',
      'planId',
    ],
    carried: ['createdAtMs', 'updatedAtMs'],
    later: { planId: '0' },
    marks: { planId: 'clientPlans' },
  },
  {
    name: 'clientStates',
    kind: 'client',
    keys: ['clientId'],
    item: 'clientId',
    values: ['enable', 'disabledBy', 'quotaBytes', 'expiresAtMs', 'resetDays', 'resetDay'],
    carried: ['upBytes', 'downBytes', 'lastOnlineAtMs', 'lastSubFetchAtMs'],
    soft: ['enable', 'disabledBy'],
    // Limits switch clients off and on by themselves.
    softWhen: `t.disabledBy = 'loop' OR json_extract(r.after, '$.disabledBy') = 'loop'`,
    parents: { clientId: 'clients' },
  },
  {
    name: 'clientInbounds',
    kind: 'client',
    keys: ['clientId', 'inboundId'],
    item: 'clientId',
    values: ['flowOverride', 'passwordOverride'],
    carried: ['createdAtMs'],
    parents: { clientId: 'clients', inboundId: 'inbounds' },
  },
  {
    name: 'clientExternalLinks',
    kind: 'client',
    keys: ['id'],
    item: 'clientId',
    values: ['clientId', 'kind', 'value', 'remark', 'sortIndex'],
    carried: ['createdAtMs'],
    parents: { clientId: 'clients' },
  },
  {
    name: 'clientMailStops',
    kind: 'client',
    keys: ['clientId'],
    isNamed: true,
    item: 'clientId',
    values: ['atMs'],
    soft: ['atMs'],
    parents: { clientId: 'clients' },
  },
  {
    name: 'peerTotals',
    kind: 'client',
    keys: ['masterGuid', 'clientId'],
    isNamed: true,
    item: 'clientId',
    isSide: true,
    values: [],
    carried: ['upBytes', 'downBytes', 'updatedAtMs'],
    parents: { clientId: 'clients' },
  },
  {
    name: 'keptTraffics',
    kind: 'client',
    keys: ['emailKey'],
    isNamed: true,
    item: 'emailKey',
    values: ['email', 'upBytes', 'downBytes', 'lastOnlineAtMs'],
  },
  {
    name: 'inboundFallbacks',
    kind: 'inbound',
    keys: ['id'],
    item: 'masterId',
    values: ['masterId', 'childId', 'name', 'alpn', 'path', 'dest', 'xver', 'sortOrder'],
    parents: { masterId: 'inbounds' },
  },
  {
    name: 'hosts',
    kind: 'host',
    keys: ['id'],
    item: 'id',
    values: ['groupId', 'inboundId', 'sortOrder', 'enable', 'address', 'port', 'content'],
    carried: ['createdAtMs', 'updatedAtMs'],
    parents: { inboundId: 'inbounds' },
  },
  {
    name: 'settings',
    kind: 'setting',
    keys: ['key'],
    isNamed: true,
    item: 'key',
    values: ['value'],
    unless: `ROW.key IN (${OWN_MARKS.map((key) => `'${key}'`).join(', ')})`,
  },
  {
    name: 'nodes',
    kind: 'node',
    keys: ['id'],
    item: 'id',
    isNoted: true,
    values: [
      'name',
      'remark',
      'scheme',
      'address',
      'port',
      'basePath',
      'apiToken',
      'enable',
      'allowPrivateAddress',
      'tlsVerifyMode',
      'pinnedCertSha256',
      'inboundSyncMode',
      'inboundTags',
      'outboundTag',
      'remoteEdits',
    ],
    masked: { apiToken: tail('apiToken') },
  },
  {
    name: 'apiTokens',
    kind: 'token',
    keys: ['id'],
    item: 'id',
    isNoted: true,
    values: ['name', 'enabled'],
  },
  {
    name: 'webhooks',
    kind: 'webhook',
    keys: ['id'],
    item: 'id',
    isNoted: true,
    values: ['name', 'url', 'secret', 'kinds', 'enabled', 'allowPrivate', 'cpuPercent'],
    masked: { url: tail('url'), secret: tail('secret') },
  },
  {
    name: 'outboundSubs',
    kind: 'outboundSub',
    keys: ['id'],
    item: 'id',
    isNoted: true,
    values: ['remark', 'url', 'enabled', 'allowPrivate', 'prepend', 'tagPrefix', 'updateIntervalSec', 'priority'],
    masked: { url: tail('url') },
  },
  {
    name: 'admins',
    kind: 'admin',
    keys: ['id'],
    item: 'id',
    isNoted: true,
    values: ['username', 'passwordHash'],
    masked: { passwordHash: tail('passwordHash') },
  },
  {
    name: 'savedViews',
    kind: 'view',
    keys: ['owner', 'page', 'name'],
    isNamed: true,
    item: 'name',
    values: ['view'],
    carried: ['updatedAtMs'],
  },
  {
    name: 'certificates',
    kind: 'certificate',
    keys: ['id'],
    item: 'id',
    isNoted: true,
    values: ['name', 'wanted', 'revokedPin'],
    // What a DNS program is given may be a token.
    masked: { wanted: `json_remove(ROW.wanted, '$.dnsArguments', '$.eabKid')` },
  },
  {
    name: 'enrolments',
    kind: 'ticket',
    keys: ['id'],
    isNamed: true,
    item: 'id',
    isNoted: true,
    values: ['name', 'url', 'state'],
    // Old ones go by themselves when a new one is made.
    unless: `ROW.state <> 'open' OR ROW.expiresAtMs < CAST(strftime('%s', 'now') AS INTEGER) * 1000`,
  },
  {
    name: 'masters',
    kind: 'master',
    keys: ['trunkId'],
    isNamed: true,
    item: 'trunkId',
    isNoted: true,
    values: ['name', 'url'],
  },
  // Only what is deleted for good: the bin is filled and emptied when no entry is open.
  {
    name: 'recycleBin',
    kind: 'bin',
    keys: ['kind', 'itemId'],
    isNamed: true,
    isNoted: true,
    item: 'itemId',
    values: ['name'],
  },
];

/** Counters that a verb set by hand; the verb writes a row beside the entry in the ledger. */
export const COUNTERS = 'clientCounters';
