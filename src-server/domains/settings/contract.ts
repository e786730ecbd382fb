import * as z from 'zod';
import { CertificateWarning } from '../../contract/certificate-warning.ts';
import type { FieldCode } from '../../contract/fields/field-texts.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { line } from '../../contract/fields/line.ts';
import { Port } from '../../contract/fields/port.ts';
import { EVENT_KINDS, type EventKind } from '../events/contract.ts';

/** Longest User-Agent pattern that a save accepts, in characters. */
export const MAX_PATTERN_LENGTH = 2048;

/** Longest picture URL on a subscription's page: it is part of every page. */
export const MAX_PICTURE_LENGTH = 6_000;

const PICTURE = /^(data:image\/(png|jpeg|webp|gif);base64,[A-Za-z0-9+/]+={0,2})?$/;

const text = (maxLength: number) => z.string().max(maxLength);
const count = (max: number) => z.int().min(0).max(max);
const percent = z.int().min(0).max(100);
const path = z
  .string()
  .max(256)
  .refine((value) => value.startsWith('/'), 'field.path' satisfies FieldCode);

/** Days: a hundred years, so that sums of dates stay valid dates. */
const MAX_DAYS = 36_500;
/** GiB: more would not fit a JSON number in bytes. */
const MAX_GIB = 8_388_607;
const MAX_PEOPLE = 2_147_483_647;

/**
 * Sign-ins and CPU load would fill the list without being news; looking for new versions contacts another server, which
 * is never done unasked.
 */
const UNLISTED = new Set(['login.attempt', 'cpu.high', 'client.link', 'update.core', 'update.panel']);
const LISTED_EVENTS = EVENT_KINDS.filter((kind) => !UNLISTED.has(kind));

const DESKTOP_EVENTS: readonly EventKind[] = [
  'core.crash',
  'login.attempt',
  'node.down',
  'node.up',
  'outbound.down',
  'outbound.up',
  'directory.failed',
  'directory.held',
  'backup.failed',
  'certificate.failed',
  'certificate.expiring',
];

/** Keys that are stored sealed and returned empty; a blank value on save keeps the stored one. */
export const SECRET_KEYS = [
  'twoFactorToken',
  'tgBotToken',
  'tgBotBackupPassphrase',
  'smtpPassword',
  'ldapPassword',
] as const;

/**
 * Every setting with its rule and its default: `Settings.parse({})` is a new panel. Rules that need more than the value
 * itself (addresses, files, zones, collisions) are checked by the save, with their own error texts.
 */
export const Settings = z.object({
  /** Address that the web interface listens on, a literal IP; empty = all. */
  webListen: text(255).default(''),
  /** Host name by which the panel may be requested; requests for any other are refused; empty = any. */
  webDomain: line(253).default(''),
  webPort: Port.default(2053),
  webCertFile: line(4096).default(''),
  webKeyFile: line(4096).default(''),
  webBasePath: path.default('/'),
  /** Minutes until a session ends, at most a year. */
  sessionMaxAge: z.int().min(1).max(525_600).default(360),
  /** IPs and CIDRs, separated by commas, whose forwarded headers are trusted. Blank = the default, never "none". */
  trustedProxyCIDRs: text(16_384).default('127.0.0.1/32,::1/128'),
  /** IPs and CIDRs, separated by commas, that the IP limit neither counts nor bans. */
  ipLimitAllowlist: text(65_536).default(''),
  /** Tag of the outbound or balancer that the panel's own requests use; empty = direct. */
  panelOutbound: line(256).default(''),
  pageSize: z.int().min(1).max(1000).default(25),
  expireDiff: count(MAX_DAYS).default(3),
  trafficDiff: count(MAX_GIB).default(0),
  trafficDiffPercent: count(100).default(10),
  /** Template for the names of links. Spaces at its ends are part of the names. */
  remarkTemplate: text(2048)
    .refine((template) => !/\p{Cc}/u.test(template), 'field.line' satisfies FieldCode)
    .default('{{INBOUND}}-{{EMAIL}}|📊{{TRAFFIC_LEFT}}|⏳{{DAYS_LEFT}}D'),
  /** Whether the names of all links include the client, not only that of the first. */
  subShowIdentityOnAllLinks: z.boolean().default(false),
  datepicker: z.enum(['gregorian', 'jalalian']).default('gregorian'),
  /** Time zone of schedules and periodic resets: an IANA name, `Local` or `UTC`. */
  timeLocation: text(128).default('Local'),
  /**
   * Whether sessions of clients disabled by accounting are ended by restarting the core, where they cannot be ended one
   * by one.
   */
  restartCoreOnClientDisable: z.boolean().default(true),
  externalTrafficInformEnable: z.boolean().default(false),
  externalTrafficInformURI: text(4096).default(''),
  /** Consecutive failed probes after which an outbound counts as down. */
  outboundDownThreshold: z.int().min(1).max(100).default(3),
  /** Days between key rotations at the tunnel provider; 0 = never. */
  tunnelUpdateInterval: count(MAX_DAYS).default(0),

  twoFactorEnable: z.boolean().default(false),
  /** Base32 secret of the authenticator app; returned empty. */
  twoFactorToken: text(256).default(''),

  tgBotEnable: z.boolean().default(false),
  tgBotToken: line(256).default(''),
  /** Proxy to the bot's API server: `socks5://`, `http://` or `https://`, with or without credentials; empty = none. */
  tgBotProxy: text(2048).default(''),
  tgBotAPIServer: text(4096).default(''),
  /** Whether the bot's API server may be in a private network. */
  tgBotAllowPrivate: z.boolean().default(false),
  /** Public address of this panel to which the bot's API server delivers messages; empty = the panel polls for them. */
  tgBotWebhookURL: text(2048).default(''),
  /** Chats of the admins: their ids, separated by commas. */
  tgBotChatId: text(4096).default(''),
  /** When the report is sent: six-field cron with seconds, `@every 8h`, `@hourly`, `@daily`, `@weekly`, `@monthly`. */
  tgRunTime: text(256).default('@daily'),
  tgBotBackup: z.boolean().default(false),
  /** Passphrase with which backups are encrypted before sending; empty = sent unencrypted. Returned empty. */
  tgBotBackupPassphrase: text(1024).default(''),
  /** CPU load in percent above which the bot warns; 0 = off. */
  tgCpu: percent.default(80),
  /** Language of bot messages and e-mails. */
  tgLang: z
    .string()
    .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/, 'must be a language tag such as en-US')
    .max(35)
    .default('en-US'),
  /** Event kinds that the bot reports, separated by commas; empty = none. */
  tgEnabledEvents: text(1024).default('login.attempt,cpu.high'),

  smtpEnable: z.boolean().default(false),
  smtpHost: line(253).default(''),
  smtpPort: Port.default(587),
  smtpUsername: line(320).default(''),
  smtpPassword: text(1024).default(''),
  /** Sender address, also in the form `Name <a@b>`; empty = `smtpUsername`. */
  smtpFrom: text(512).default(''),
  smtpFromName: line(256).default(''),
  /** Recipients of e-mails, separated by commas. */
  smtpTo: line(8192).default(''),
  smtpEncryptionType: z.enum(['none', 'starttls', 'tls']).default('starttls'),
  smtpEnabledEvents: text(1024).default('login.attempt,cpu.high'),
  smtpCpu: percent.default(80),
  /** Whether the mail server may be in a private network, or be this machine. */
  smtpAllowPrivate: z.boolean().default(false),
  /** Event kinds reported to clients by e-mail, if their name is an address; separated by commas, empty = none. */
  smtpClientEvents: text(1024).default(''),
  /** Whether a new client whose name is an address is sent its subscription link. */
  smtpNewClientLink: z.boolean().default(false),

  /** Event kinds in the panel's list, separated by commas; empty = none. */
  panelEnabledEvents: text(1024).default(LISTED_EVENTS.join(',')),
  /** Event kinds that the desktop application shows as system notifications, separated by commas; empty = none. */
  desktopEnabledEvents: text(1024).default(DESKTOP_EVENTS.join(',')),
  /** CPU load in percent above which the panel's list shows a warning; 0 = off. */
  panelCpu: percent.default(80),
  /** Percents of the quota, separated by commas, at which a client is reported as near its limit. */
  clientQuotaNotices: text(256).default('80,95'),

  subEnable: z.boolean().default(true),
  subListen: text(255).default(''),
  subPort: Port.default(10_882),
  subPath: path.default('/sub/'),
  subDomain: line(253).default(''),
  subCertFile: line(4096).default(''),
  subKeyFile: line(4096).default(''),
  /** Hours between two fetches, as announced to apps. */
  subUpdates: z.int().min(1).max(168).default(12),
  /** Whether links are returned as base64. */
  subEncrypt: z.boolean().default(true),
  /** Public address in front of the subscription id; empty = computed. */
  subURI: line(2048).default(''),
  subTitle: line(512).default(''),
  subAnnounce: text(4096).default(''),
  subSupportUrl: line(2048).default(''),
  subProfileUrl: line(2048).default(''),
  /** Colour of buttons and bars on the page of a subscription, `#rrggbb`; empty = the default. */
  subPageColor: z
    .string()
    .refine((value) => /^(#[0-9a-f]{6})?$/i.test(value), 'field.color' satisfies FieldCode)
    .default(''),
  /** Picture beside the name on the page of a subscription, as a data URL; empty = none. */
  subPagePicture: z
    .string()
    .max(MAX_PICTURE_LENGTH)
    .refine((value) => PICTURE.test(value), 'field.picture' satisfies FieldCode)
    .default(''),
  subEnableRouting: z.boolean().default(false),
  /** Routing rules for apps: their text, or one absolute https URL. */
  subRoutingRules: text(262_144).default(''),
  subHideSettings: z.boolean().default(false),
  subThemeDir: line(4096).default(''),
  subJsonEnable: z.boolean().default(false),
  subJsonPath: path.default('/json/'),
  subJsonURI: line(2048).default(''),
  /** Mux settings of the JSON document, a JSON object; empty = none. */
  subJsonMux: text(65_536).default(''),
  subJsonRules: text(262_144).default(''),
  subJsonFinalMask: text(65_536).default(''),
  subJsonAutoDetect: z.boolean().default(false),
  subJsonAlwaysArray: z.boolean().default(false),
  /** Pattern for the User-Agent of apps that read JSON; empty = none. */
  subJsonUserAgentRegex: text(65_536).default(''),
  subYamlEnable: z.boolean().default(false),
  subYamlPath: path.default('/yaml/'),
  subYamlURI: line(2048).default(''),
  subYamlEnableRouting: z.boolean().default(false),
  subYamlRules: text(262_144).default(''),
  subYamlAutoDetect: z.boolean().default(false),
  subYamlUserAgentRegex: text(65_536).default(''),

  ldapEnable: z.boolean().default(false),
  ldapHost: line(253).default(''),
  ldapPort: Port.default(389),
  ldapUseTLS: z.boolean().default(false),
  /**
   * Whether to use StartTLS on the plain port; a directory that does not offer it is refused. `ldapUseTLS` takes
   * precedence.
   */
  ldapStartTLS: z.boolean().default(false),
  ldapInsecureSkipVerify: z.boolean().default(false),
  /** Whether the directory may have an address in an internal network. */
  ldapAllowPrivate: z.boolean().default(false),
  /** Whether a person in the directory with the name of an admin may also sign in with the directory password. */
  ldapSignIn: z.boolean().default(true),
  /** Name with which the panel binds; empty = the search is anonymous. */
  ldapBindDN: line(2048).default(''),
  ldapPassword: text(1024).default(''),
  ldapBaseDN: line(2048).default(''),
  ldapUserFilter: line(2048).default('(objectClass=person)'),
  ldapUserAttr: line(256).default('mail'),
  /** Older name of the flag attribute; `ldapFlagField` takes precedence when set. */
  ldapVlessField: line(256).default('vless_enabled'),
  ldapFlagField: line(256).default(''),
  /** Values of the flag attribute that mean yes, separated by commas; blank = the default. */
  ldapTruthyValues: line(1024).default('true,1,yes,on'),
  ldapInvertFlag: z.boolean().default(false),
  /** Schedule of the directory sync, in the format of `tgRunTime`. */
  ldapSyncCron: text(256).default('@every 1m'),
  /** Tags of the inbounds that the directory's clients are attached to, separated by commas. */
  ldapInboundTags: line(16_384).default(''),
  ldapAutoCreate: z.boolean().default(false),
  ldapAutoDelete: z.boolean().default(false),
  /** Quota of a created client, in GiB; 0 = unlimited. */
  ldapDefaultTotalGB: count(MAX_GIB).default(0),
  ldapDefaultExpiryDays: count(MAX_DAYS).default(0),
  ldapDefaultLimitIP: count(MAX_PEOPLE).default(0),
});
/** All settings with secrets in plain text: for services only, never returned and never logged as a whole. */
export type Settings = z.output<typeof Settings>;
export type SettingKey = keyof Settings;

type Shape = typeof Settings.shape;
type PatchShape = { [K in SettingKey]: z.ZodOptional<ReturnType<Shape[K]['unwrap']>> };

/** Any part of the settings; an absent key means "leave unchanged". */
export const SettingsPatch = z.object(
  Object.fromEntries(
    Object.entries(Settings.shape).map(([key, rule]) => [key, rule.unwrap().optional()]),
  ) as PatchShape,
);
export type SettingsPatch = z.output<typeof SettingsPatch>;

/** Fields of a save only: flags that clear secrets (blank means "keep") and proofs. None of them is stored. */
export const SaveProofs = z.object({
  clearTgBotToken: z.boolean().optional(),
  clearTgBotBackupPassphrase: z.boolean().optional(),
  clearLdapPassword: z.boolean().optional(),
  clearSmtpPassword: z.boolean().optional(),
  /** Code of the current secret, or of the new one while two-factor sign-in is disabled. */
  twoFactorCode: z.string().max(64).optional(),
  /** Code of the new secret when it replaces the current one; checked when given. */
  newTwoFactorCode: z.string().max(64).optional(),
  /** Current password; required when a signed-in admin enables two-factor sign-in. */
  currentPassword: z.string().max(1024).optional(),
});

/** Body of a save. Unknown and output-only keys are ignored, so the object of {@link getSettings} can be sent back. */
export const SettingsSave = z.object({ ...SettingsPatch.shape, ...SaveProofs.shape });
export type SettingsSave = z.output<typeof SettingsSave>;

/** Output-only: which secrets exist, and whether per-client IP limits can be enforced here. */
export const SettingsFlags = z.object({
  ipLimitEnable: z.boolean(),
  hasTwoFactorToken: z.boolean(),
  hasTgBotToken: z.boolean(),
  hasTgBotBackupPassphrase: z.boolean(),
  hasSmtpPassword: z.boolean(),
  hasLdapPassword: z.boolean(),
  /** Whether at least one API token is enabled. */
  hasApiToken: z.boolean(),
  hasTunnelSecret: z.boolean(),
  hasVpnSecret: z.boolean(),
  /** Values from this start's options that override the stored ones, for this run only. */
  startOptions: z.record(z.string(), z.union([z.string(), z.number()])),
});
export type SettingsFlags = z.output<typeof SettingsFlags>;

/** Settings as returned: every secret is an empty text. */
export const SettingsView = z.object({ ...Settings.shape, ...SettingsFlags.shape });
export type SettingsView = z.output<typeof SettingsView>;

/** Values in effect that pages need; addresses are computed from the Host of the request. */
export const EffectiveDefaults = z.object({
  expireDiff: z.int(),
  trafficDiff: z.int(),
  trafficDiffPercent: z.int(),
  pageSize: z.int(),
  /** Certificate file of the panel, as a default for inbounds with TLS; empty = none. */
  defaultCert: z.string(),
  defaultKey: z.string(),
  tgBotEnable: z.boolean(),
  ipLimitEnable: z.boolean(),
  /** Whether the core template writes an access log. */
  accessLogEnable: z.boolean(),
  subThemeDir: z.string(),
  subEnable: z.boolean(),
  subJsonEnable: z.boolean(),
  subYamlEnable: z.boolean(),
  subTitle: z.string(),
  /** Public address in front of the subscription id; computed where the setting is empty. */
  subURI: z.string(),
  subJsonURI: z.string(),
  subYamlURI: z.string(),
  webDomain: z.string(),
  subDomain: z.string(),
  datepicker: z.string(),
  /** Whether the development channel of updates is chosen. */
  devChannelEnable: z.boolean(),
  /** Whether this panel is a development build; only these follow the development channel. */
  isDevBuild: z.boolean(),
});
export type EffectiveDefaults = z.output<typeof EffectiveDefaults>;

export const getSettings = endpoint('POST', '/panel/api/setting/all', {
  onStandby: 'answers',
  summary: 'All settings; secrets are empty, flags tell which are stored.',
  result: SettingsView,
});

export const getEffectiveDefaults = endpoint('POST', '/panel/api/setting/defaultSettings', {
  onStandby: 'answers',
  summary: 'Values in effect that forms start from, computed for the host of the request.',
  result: EffectiveDefaults,
});

export const updateSettings = endpoint('POST', '/panel/api/setting/update', {
  summary: 'Saves settings; absent keys stay as they are, blank secrets are kept for the server they were entered for.',
  body: SettingsSave,
  encoding: 'json',
  result: z.null(),
  message: 'settings.saved',
});

export const SettingsPlaces = SettingsSave.pick({
  webListen: true,
  webPort: true,
  subListen: true,
  subPort: true,
  subEnable: true,
});
export type SettingsPlaces = z.output<typeof SettingsPlaces>;

export const checkSettingsPlaces = endpoint('POST', '/panel/api/setting/checkPlaces', {
  onStandby: 'answers',
  summary: 'Whether the web and subscription servers could listen there after a save, as asked while a port is typed.',
  body: SettingsPlaces,
  encoding: 'json',
  result: z.null(),
});

export const SettingsCertificates = SettingsSave.pick({
  webDomain: true,
  webCertFile: true,
  subDomain: true,
  subCertFile: true,
});
export type SettingsCertificates = z.output<typeof SettingsCertificates>;

export const checkSettingsCertificates = endpoint('POST', '/panel/api/setting/checkCertificates', {
  onStandby: 'answers',
  summary: 'Which certificates of these settings visitors would refuse, for their dates or names; changes nothing.',
  body: SettingsCertificates,
  encoding: 'json',
  result: z.array(CertificateWarning),
});

export const restartPanel = endpoint('POST', '/panel/api/setting/restartPanel', {
  summary: 'Restarts the panel process three seconds after the answer.',
  result: z.null(),
  message: 'settings.restarting',
});

export const getFactoryDefaults = endpoint('POST', '/panel/api/setting/factoryDefaults', {
  onStandby: 'answers',
  summary: 'Built-in value of every setting except the secrets, as text.',
  result: z.record(z.string(), z.string()),
});

export const validateRegex = endpoint('POST', '/panel/api/setting/validateRegex', {
  onStandby: 'answers',
  summary: 'Whether a User-Agent pattern would be accepted by a save.',
  body: z.object({ regex: z.string().max(65_536) }),
  result: z.null(),
});

export const getDefaultJsonConfig = endpoint('GET', '/panel/api/setting/getDefaultJsonConfig', {
  summary: 'The built-in core template.',
  result: z.record(z.string(), z.unknown()),
});
