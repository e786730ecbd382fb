import type { ItemKind } from '../../contract/act.ts';

/**
 * A table whose changes the journal records, column by column. New columns that an operator changes belong here; a test
 * fails for tables of clients, inbounds, hosts and groups with columns that are not listed.
 */
export interface CapturedTable {
  name: string;
  kind: ItemKind;
  /** Primary key, and the name of its row in an entry: the value itself, or a JSON array of several. */
  keys: readonly string[];
  /** Whether the key is text and chosen by people, so that an insert may meet an existing row. */
  isNamed?: boolean;
  /** Changed by operators; an undo restores the old value where the entry's new value is still there. */
  values: readonly string[];
  /** Counters: an undo adds what the entry subtracted, whatever was counted since. */
  sums?: readonly string[];
  /** Columns whose change is recorded; `values` by default. */
  watched?: readonly string[];
  /** Restored with a deleted row, but not a change by themselves. */
  carried?: readonly string[];
  /** If another value is there by now it stays, and that is no reason to refuse. */
  soft?: readonly string[];
  /** SQL condition over the row `t` and the entry's row `r`; by default always true. */
  softWhen?: string;
  /** Columns added after the first journals, with the SQL of their value in rows recorded before. */
  later?: Readonly<Record<string, string>>;
  /** Rows that depend on another one: column, and the table whose only key it names; 0 = none. */
  parents?: Readonly<Record<string, string>>;
  /**
   * Columns that name a row of another table and mean nothing once it is gone. Its creation is not undone while one
   * names it.
   */
  marks?: Readonly<Record<string, string>>;
  /** Column by which an item of this kind is known. */
  item: string;
  /** Accompanies other changes; alone it is not a change, and the current value stays. */
  isSide?: boolean;
  /** Only recorded, never undone: what undo would need is not kept. */
  isNoted?: boolean;
  /** SQL expressions over `ROW` that replace these columns: secrets are compared, not kept. */
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
  'tgBotUsedLinks',
  'directoryMemory',
  'journalAnchor',
  'checklistDismissed',
  'nodeMtlsCaCertPem',
  'nodeMtlsCaKeyPem',
  'nodeMtlsClientCertPem',
  'nodeMtlsClientKeyPem',
  'nodeMtlsClientCertSha256',
];
/** Settings that control access to a panel: recorded, and changed only where proofs are required. */
export const NOTED_SETTINGS: readonly string[] = [
  'twoFactorEnable',
  'twoFactorToken',
  'tunnel',
  'vpn',
  'nodeMtlsClientCAPem',
];
export const TEMPLATE_SETTINGS: readonly string[] = ['coreTemplateConfig', 'coreOutboundTestUrl'];
/** Of a secret only the fact that it changed. */
const tail = (column: string): string => `substr(ROW.${column}, -6)`;

/** In the order in which rows are restored: those that others depend on come first. */
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
    carried: ['upBytes', 'downBytes', 'resetUpBytes', 'resetDownBytes', 'lastOnlineAtMs', 'lastSubFetchAtMs'],
    later: { resetUpBytes: '0', resetDownBytes: '0' },
    soft: ['enable', 'disabledBy'],
    // Limits disable and enable clients by themselves.
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
    parents: { masterId: 'inbounds', childId: 'inbounds' },
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
    // Settings of a DNS program may contain a token.
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
    // Old ones are removed automatically when a new one is made.
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
  // Only permanent deletions: the bin is filled and emptied while no entry is open.
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

/** Counters that an action set directly; the action writes a ledger row beside the entry. */
export const COUNTERS = 'clientCounters';
