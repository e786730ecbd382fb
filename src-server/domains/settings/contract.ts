import * as z from 'zod';
import { CertificateWarning } from '../../contract/certificate-warning.ts';
import type { FieldCode } from '../../contract/field-texts.ts';
import { endpoint } from '../../contract/endpoint.ts';
import { line } from '../../contract/line.ts';
import { Port } from '../../contract/port.ts';
import { EVENT_KINDS, type EventKind } from '../events/contract.ts';

/** Longest User-Agent pattern that a save accepts, in characters. */
export const MAX_PATTERN_LENGTH = 2048;

/** Longest address of the picture on the page of a subscription: it is part of every page. */
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
 * Who signs in and how busy the machine is would fill the list with what is no news; for new versions somebody else's server is
 * asked, which nobody does unasked.
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

/** Keys that are stored sealed and answered empty; a blank value on save keeps what is stored. */
export const SECRET_KEYS = [
  'twoFactorToken',
  'tgBotToken',
  'tgBotBackupPassphrase',
  'smtpPassword',
  'ldapPassword',
] as const;

/**
 * Every setting with its rule and its default: `Settings.parse({})` is a fresh panel. Rules that need more than the value
 * itself (addresses, files, zones, collisions) are checked by the save, with texts of their own.
 */
export const Settings = z.object({
  /** Empty = all addresses, else a literal IP. */
  webListen: text(255).default(''),
  /** When set, any other Host is refused. */
  webDomain: line(253).default(''),
  webPort: Port.default(2053),
  webCertFile: line(4096).default(''),
  webKeyFile: line(4096).default(''),
  webBasePath: path.default('/'),
  /** Minutes, at most a year. */
  sessionMaxAge: z.int().min(1).max(525_600).default(360),
  /** Comma list of IPs and CIDRs whose forwarded headers are believed. Blank means this default, never "none". */
  trustedProxyCIDRs: text(16_384).default('127.0.0.1/32,::1/128'),
  /** Comma list of IPs and CIDRs that the IP limit neither counts nor bans. */
  ipLimitAllowlist: text(65_536).default(''),
  /** Outbound or balancer tag through which the panel's own requests leave; empty = directly. */
  panelOutbound: line(256).default(''),
  pageSize: z.int().min(1).max(1000).default(25),
  /** Days before expiry that count as expiring; 0 = off. */
  expireDiff: count(MAX_DAYS).default(3),
  /** GiB of remaining quota that count as expiring; 0 = off. */
  trafficDiff: count(MAX_GIB).default(0),
  /** Percent of the quota whose remaining counts as expiring, whichever of the two is more; 0 = off. */
  trafficDiffPercent: count(100).default(10),
  remarkTemplate: line(2048).default('{{INBOUND}}-{{EMAIL}}|📊{{TRAFFIC_LEFT}}|⏳{{DAYS_LEFT}}D'),
  /** Keep identity tokens on every link, not only on the first. */
  subShowIdentityOnAllLinks: z.boolean().default(false),
  datepicker: z.enum(['gregorian', 'jalalian']).default('gregorian'),
  /** IANA zone, `Local` or `UTC`: zone of schedules and periodic resets. */
  timeLocation: text(128).default('Local'),
  /** Reconcile the core after the enforcement loop disabled clients. */
  restartCoreOnClientDisable: z.boolean().default(true),
  externalTrafficInformEnable: z.boolean().default(false),
  externalTrafficInformURI: text(4096).default(''),
  /** Consecutive failed probes before an outbound counts as down. */
  outboundDownThreshold: z.int().min(1).max(100).default(3),
  /** Days between key rotations of the tunnel provider; 0 = never. */
  tunnelUpdateInterval: count(MAX_DAYS).default(0),

  twoFactorEnable: z.boolean().default(false),
  /** Base32 TOTP secret. */
  twoFactorToken: text(256).default(''),

  tgBotEnable: z.boolean().default(false),
  tgBotToken: line(256).default(''),
  /** `socks5://`, `http://` or `https://`, credentials allowed. */
  tgBotProxy: text(2048).default(''),
  tgBotAPIServer: text(4096).default(''),
  /** The API server may be in the operator's own network. */
  tgBotAllowPrivate: z.boolean().default(false),
  /** Public address of this panel, to which the API server brings messages; empty = the panel fetches them. */
  tgBotWebhookURL: text(2048).default(''),
  /** Comma list of signed integers. */
  tgBotChatId: text(4096).default(''),
  /** When the report is sent: six-field cron with seconds, `@every 8h`, `@hourly`, `@daily`, `@weekly`, `@monthly`. */
  tgRunTime: text(256).default('@daily'),
  tgBotBackup: z.boolean().default(false),
  /** Backups are sent encrypted with it; empty = as they are. */
  tgBotBackupPassphrase: text(1024).default(''),
  /** Percent; 0 = off. */
  tgCpu: percent.default(80),
  /** Language of bot messages and e-mails. */
  tgLang: z
    .string()
    .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/, 'must be a language tag such as en-US')
    .max(35)
    .default('en-US'),
  /** Comma list of event kinds; empty = none. */
  tgEnabledEvents: text(1024).default('login.attempt,cpu.high'),

  smtpEnable: z.boolean().default(false),
  smtpHost: line(253).default(''),
  smtpPort: Port.default(587),
  smtpUsername: line(320).default(''),
  smtpPassword: text(1024).default(''),
  /** Empty = smtpUsername is the sender; `Name <a@b>` allowed. */
  smtpFrom: text(512).default(''),
  smtpFromName: line(256).default(''),
  /** Comma list of recipients. */
  smtpTo: line(8192).default(''),
  smtpEncryptionType: z.enum(['none', 'starttls', 'tls']).default('starttls'),
  smtpEnabledEvents: text(1024).default('login.attempt,cpu.high'),
  smtpCpu: percent.default(80),
  /** The mail server may lie in a private network, or be this machine. */
  smtpAllowPrivate: z.boolean().default(false),
  /** Kinds that clients are told of whose name is an address; empty = none. */
  smtpClientEvents: text(1024).default(''),
  /** A new client whose name is an address is sent its subscription link. */
  smtpNewClientLink: z.boolean().default(false),

  /** Kinds in the list of the panel itself. */
  panelEnabledEvents: text(1024).default(LISTED_EVENTS.join(',')),
  /** Kinds of which the window of this computer tells as the system does. */
  desktopEnabledEvents: text(1024).default(DESKTOP_EVENTS.join(',')),
  /** Percent; 0 = off. */
  panelCpu: percent.default(80),
  /** Comma list of percents of the quota at each of which a client counts as near its end. */
  clientQuotaNotices: text(256).default('80,95'),

  subEnable: z.boolean().default(true),
  subListen: text(255).default(''),
  subPort: Port.default(10_882),
  subPath: path.default('/sub/'),
  subDomain: line(253).default(''),
  subCertFile: line(4096).default(''),
  subKeyFile: line(4096).default(''),
  /** Hours between refreshes that subscription apps are told. */
  subUpdates: z.int().min(1).max(168).default(12),
  /** Base64-encode the standard format. */
  subEncrypt: z.boolean().default(true),
  /** Public prefix that overrides the computed one. */
  subURI: line(2048).default(''),
  subTitle: line(512).default(''),
  subAnnounce: text(4096).default(''),
  subSupportUrl: line(2048).default(''),
  subProfileUrl: line(2048).default(''),
  /** Colour of buttons and bars on the page of a subscription, `#rrggbb`; empty = the page's own. */
  subPageColor: z
    .string()
    .refine((value) => /^(#[0-9a-f]{6})?$/i.test(value), 'field.color' satisfies FieldCode)
    .default(''),
  /** Picture beside the name on the page of a subscription, as the address that holds it; empty = none. */
  subPagePicture: z
    .string()
    .max(MAX_PICTURE_LENGTH)
    .refine((value) => PICTURE.test(value), 'field.picture' satisfies FieldCode)
    .default(''),
  subEnableRouting: z.boolean().default(false),
  /** Inline text, or one absolute https URL. */
  subRoutingRules: text(262_144).default(''),
  subHideSettings: z.boolean().default(false),
  subThemeDir: line(4096).default(''),
  subJsonEnable: z.boolean().default(false),
  subJsonPath: path.default('/json/'),
  subJsonURI: line(2048).default(''),
  /** JSON texts: object, array, object. */
  subJsonMux: text(65_536).default(''),
  subJsonRules: text(262_144).default(''),
  subJsonFinalMask: text(65_536).default(''),
  subJsonAutoDetect: z.boolean().default(false),
  subJsonAlwaysArray: z.boolean().default(false),
  /** Empty = the built-in pattern, looked up when read so that a better default reaches every panel. */
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
  /** TLS begun over the plain port; a directory that does not offer it is not talked to. `ldapUseTLS` wins. */
  ldapStartTLS: z.boolean().default(false),
  ldapInsecureSkipVerify: z.boolean().default(false),
  /** The directory may have an address of an internal network. */
  ldapAllowPrivate: z.boolean().default(false),
  /** A person the directory knows by the name of an admin signs in with the directory's password too. */
  ldapSignIn: z.boolean().default(true),
  /** Empty = anonymous search. */
  ldapBindDN: line(2048).default(''),
  ldapPassword: text(1024).default(''),
  ldapBaseDN: line(2048).default(''),
  ldapUserFilter: line(2048).default('(objectClass=person)'),
  ldapUserAttr: line(256).default('mail'),
  /** Older flag attribute; ldapFlagField wins when set. */
  ldapVlessField: line(256).default('vless_enabled'),
  ldapFlagField: line(256).default(''),
  /** Comma list; blank means this default. */
  ldapTruthyValues: line(1024).default('true,1,yes,on'),
  ldapInvertFlag: z.boolean().default(false),
  /** As tgRunTime. */
  ldapSyncCron: text(256).default('@every 1m'),
  /** Comma list of inbound tags. */
  ldapInboundTags: line(16_384).default(''),
  ldapAutoCreate: z.boolean().default(false),
  ldapAutoDelete: z.boolean().default(false),
  /** GiB. */
  ldapDefaultTotalGB: count(MAX_GIB).default(0),
  ldapDefaultExpiryDays: count(MAX_DAYS).default(0),
  ldapDefaultLimitIP: count(MAX_PEOPLE).default(0),
});
/** All settings with secrets in clear: for services only, never answered and never logged as a whole. */
export type Settings = z.output<typeof Settings>;
export type SettingKey = keyof Settings;

type Shape = typeof Settings.shape;
type PatchShape = { [K in SettingKey]: z.ZodOptional<ReturnType<Shape[K]['unwrap']>> };

/** Any part of the settings; an absent key means "leave as it is". */
export const SettingsPatch = z.object(
  Object.fromEntries(
    Object.entries(Settings.shape).map(([key, rule]) => [key, rule.unwrap().optional()]),
  ) as PatchShape,
);
export type SettingsPatch = z.output<typeof SettingsPatch>;

/** What only a save carries: erasing flags (blank means "keep") and proofs. None of it is stored. */
export const SaveProofs = z.object({
  clearTgBotToken: z.boolean().optional(),
  clearTgBotBackupPassphrase: z.boolean().optional(),
  clearLdapPassword: z.boolean().optional(),
  clearSmtpPassword: z.boolean().optional(),
  /** Code of the secret in force, or of the new secret while two-factor sign-in is off. */
  twoFactorCode: z.string().max(64).optional(),
  /** Code of the new secret when a secret in force is replaced; checked when given. */
  newTwoFactorCode: z.string().max(64).optional(),
  /** Asked of a signed-in admin who switches two-factor sign-in on. */
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
  /** At least one enabled token. */
  hasApiToken: z.boolean(),
  hasTunnelSecret: z.boolean(),
  hasVpnSecret: z.boolean(),
  /** Values that options of this start put in place of the stored ones, for as long as it is started so. */
  startOptions: z.record(z.string(), z.union([z.string(), z.number()])),
});
export type SettingsFlags = z.output<typeof SettingsFlags>;

/** Settings as answered: every secret is an empty text. */
export const SettingsView = z.object({ ...Settings.shape, ...SettingsFlags.shape });
export type SettingsView = z.output<typeof SettingsView>;

/** Values in effect that pages need, addresses computed from the Host of the request. */
export const EffectiveDefaults = z.object({
  /** Days before expiry that count as expiring; 0 = off. */
  expireDiff: z.int(),
  /** GiB of remaining quota that count as expiring; 0 = off. */
  trafficDiff: z.int(),
  /** Percent of the quota whose remaining counts as expiring, whichever of the two is more; 0 = off. */
  trafficDiffPercent: z.int(),
  pageSize: z.int(),
  /** The panel's own certificate pair, to prefill TLS inbounds. */
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
  /** Public address before the id of a subscription; computed where the setting is empty. */
  subURI: z.string(),
  subJsonURI: z.string(),
  subYamlURI: z.string(),
  webDomain: z.string(),
  subDomain: z.string(),
  datepicker: z.string(),
  /** The development channel of updates was chosen. */
  devChannelEnable: z.boolean(),
  /** This panel is a development build; only these follow the development channel. */
  isDevBuild: z.boolean(),
});
export type EffectiveDefaults = z.output<typeof EffectiveDefaults>;

export const getSettings = endpoint({
  method: 'POST',
  path: '/panel/api/setting/all',
  summary: 'All settings; secrets are empty, flags tell which are stored.',
  result: SettingsView,
});

export const getEffectiveDefaults = endpoint({
  method: 'POST',
  path: '/panel/api/setting/defaultSettings',
  summary: 'Values in effect that forms start from, computed for the host of the request.',
  result: EffectiveDefaults,
});

export const updateSettings = endpoint({
  method: 'POST',
  path: '/panel/api/setting/update',
  summary: 'Saves settings; absent keys stay as they are, blank secrets are kept.',
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

export const checkSettingsPlaces = endpoint({
  method: 'POST',
  path: '/panel/api/setting/checkPlaces',
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

export const checkSettingsCertificates = endpoint({
  method: 'POST',
  path: '/panel/api/setting/checkCertificates',
  summary:
    'Which of the certificates that a save would change visitors will refuse, by its dates or names; changes nothing.',
  body: SettingsCertificates,
  encoding: 'json',
  result: z.array(CertificateWarning),
});

export const restartPanel = endpoint({
  method: 'POST',
  path: '/panel/api/setting/restartPanel',
  summary: 'Restarts the panel process three seconds after the answer.',
  result: z.null(),
  message: 'settings.restarting',
});

export const getFactoryDefaults = endpoint({
  method: 'POST',
  path: '/panel/api/setting/factoryDefaults',
  summary: 'Built-in value of every setting except the secrets, as text.',
  result: z.record(z.string(), z.string()),
});

export const validateRegex = endpoint({
  method: 'POST',
  path: '/panel/api/setting/validateRegex',
  summary: 'Whether a User-Agent pattern would be accepted by a save.',
  body: z.object({ regex: z.string().max(65_536) }),
  encoding: 'either',
  result: z.null(),
});

export const getDefaultJsonConfig = endpoint({
  method: 'GET',
  path: '/panel/api/setting/getDefaultJsonConfig',
  summary: 'The built-in core template.',
  result: z.record(z.string(), z.unknown()),
});
