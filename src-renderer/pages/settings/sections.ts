import { SECRET_KEYS, type SettingKey } from '#contract/settings';

/** Pages of the settings, in order: `/panel/settings/:section`. */
const SECTIONS = [
  'general',
  'security',
  'certificates',
  'subscription',
  'bot',
  'notifications',
  'directory',
  'backup',
] as const;
export type Section = (typeof SECTIONS)[number];

/** What a saved change needs to take effect: nothing, a restart of the subscription server, or of the panel. */
export type Effect = 'live' | 'sub' | 'panel' | 'stored';

interface Group {
  section: Section;
  name: string;
  keys: readonly SettingKey[];
}

/** Every setting with a row, by section. Two-factor sign-in has its own dialog. */
export const GROUPS = [
  {
    section: 'general',
    name: 'address',
    keys: ['webListen', 'webPort', 'webBasePath', 'webDomain', 'webCertFile', 'webKeyFile'],
  },
  {
    section: 'general',
    name: 'clients',
    keys: [
      'expireDiff',
      'trafficDiff',
      'trafficDiffPercent',
      'restartCoreOnClientDisable',
      'ipLimitAllowlist',
      'pageSize',
    ],
  },
  { section: 'general', name: 'time', keys: ['timeLocation', 'datepicker'] },
  {
    section: 'general',
    name: 'outgoing',
    keys: [
      'outboundDownThreshold',
      'panelOutbound',
      'tunnelUpdateInterval',
      'externalTrafficInformEnable',
      'externalTrafficInformURI',
    ],
  },
  { section: 'security', name: 'access', keys: ['sessionMaxAge', 'trustedProxyCIDRs'] },
  {
    section: 'subscription',
    name: 'subServer',
    keys: [
      'subEnable',
      'subListen',
      'subPort',
      'subPath',
      'subDomain',
      'subCertFile',
      'subKeyFile',
      'subURI',
      'subEncrypt',
    ],
  },
  {
    section: 'subscription',
    name: 'subTexts',
    keys: [
      'subTitle',
      'subAnnounce',
      'subSupportUrl',
      'subProfileUrl',
      'subUpdates',
      'subEnableRouting',
      'subRoutingRules',
      'subHideSettings',
      'subThemeDir',
    ],
  },
  { section: 'subscription', name: 'subPage', keys: ['subPageColor', 'subPagePicture'] },
  { section: 'subscription', name: 'subLinks', keys: ['remarkTemplate', 'subShowIdentityOnAllLinks'] },
  {
    section: 'subscription',
    name: 'subJson',
    keys: [
      'subJsonEnable',
      'subJsonPath',
      'subJsonURI',
      'subJsonAutoDetect',
      'subJsonUserAgentRegex',
      'subJsonAlwaysArray',
      'subJsonMux',
      'subJsonRules',
      'subJsonFinalMask',
    ],
  },
  {
    section: 'subscription',
    name: 'subYaml',
    keys: [
      'subYamlEnable',
      'subYamlPath',
      'subYamlURI',
      'subYamlAutoDetect',
      'subYamlUserAgentRegex',
      'subYamlEnableRouting',
      'subYamlRules',
    ],
  },
  {
    section: 'bot',
    name: 'bot',
    keys: ['tgBotEnable', 'tgBotToken', 'tgBotChatId', 'tgCpu'],
  },
  { section: 'bot', name: 'botReports', keys: ['tgRunTime', 'tgBotBackup', 'tgBotBackupPassphrase'] },
  {
    section: 'bot',
    name: 'botConnection',
    keys: ['tgBotProxy', 'tgBotAPIServer', 'tgBotAllowPrivate', 'tgBotWebhookURL'],
  },
  {
    section: 'notifications',
    name: 'mail',
    keys: [
      'smtpEnable',
      'smtpHost',
      'smtpPort',
      'smtpEncryptionType',
      'smtpUsername',
      'smtpPassword',
      'smtpFrom',
      'smtpFromName',
      'smtpTo',
      'smtpNewClientLink',
      'smtpAllowPrivate',
      'tgLang',
    ],
  },
  { section: 'notifications', name: 'thresholds', keys: ['panelCpu', 'smtpCpu', 'clientQuotaNotices'] },
  {
    section: 'directory',
    name: 'directory',
    keys: [
      'ldapEnable',
      'ldapHost',
      'ldapPort',
      'ldapUseTLS',
      'ldapStartTLS',
      'ldapInsecureSkipVerify',
      'ldapAllowPrivate',
      'ldapBindDN',
      'ldapPassword',
      'ldapSignIn',
    ],
  },
  {
    section: 'directory',
    name: 'directoryPeople',
    keys: [
      'ldapBaseDN',
      'ldapUserFilter',
      'ldapUserAttr',
      'ldapFlagField',
      'ldapVlessField',
      'ldapTruthyValues',
      'ldapInvertFlag',
    ],
  },
  {
    section: 'directory',
    name: 'directoryClients',
    keys: [
      'ldapSyncCron',
      'ldapInboundTags',
      'ldapAutoCreate',
      'ldapAutoDelete',
      'ldapDefaultTotalGB',
      'ldapDefaultExpiryDays',
      'ldapDefaultLimitIP',
    ],
  },
] as const satisfies readonly Group[];

/** All settings with a row. */
export type RowKey = (typeof GROUPS)[number]['keys'][number];

const PANEL: ReadonlySet<SettingKey> = new Set<SettingKey>([
  'webListen',
  'webPort',
  'webBasePath',
  'webDomain',
  'webCertFile',
  'webKeyFile',
]);
const SUB: ReadonlySet<SettingKey> = new Set<SettingKey>([
  'subEnable',
  'subListen',
  'subPort',
  'subCertFile',
  'subKeyFile',
]);
const STORED: ReadonlySet<SettingKey> = new Set<SettingKey>([
  'pageSize',
  'externalTrafficInformEnable',
  'externalTrafficInformURI',
  'subHideSettings',
  'subThemeDir',
  // The document is an array always.
  'subJsonAlwaysArray',
]);

/** What a change of this setting needs to take effect. */
export function effectOf(key: SettingKey): Effect {
  if (PANEL.has(key)) return 'panel';
  if (SUB.has(key)) return 'sub';
  return STORED.has(key) ? 'stored' : 'live';
}

/** Whether the setting has an effect. The others are kept as stored, and not shown. */
export const isShown = (key: SettingKey): boolean => effectOf(key) !== 'stored';

/** Sections that consist of other parts only. */
const isOwn = (section: Section): boolean => section === 'backup' || section === 'certificates';

/** Sections with content: settings that have an effect, or other parts. */
export const SHOWN_SECTIONS: readonly Section[] = SECTIONS.filter(
  (section) => isOwn(section) || GROUPS.some((group) => group.section === section && group.keys.some(isShown)),
);

/** The strongest of the effects of several changes. */
export function effectOfAll(keys: readonly SettingKey[]): 'live' | 'sub' | 'panel' {
  const effects = new Set(keys.map(effectOf));
  if (effects.has('panel')) return 'panel';
  return effects.has('sub') ? 'sub' : 'live';
}

/** Options of settings that allow only a few values. */
export const OPTIONS = {
  datepicker: ['gregorian', 'jalalian'],
  smtpEncryptionType: ['none', 'starttls', 'tls'],
  tgLang: ['en-US', 'fa-IR', 'ru-RU', 'zh-CN'],
} as const;

/** Settings with multi-line text. */
export const LONG_TEXTS: ReadonlySet<SettingKey> = new Set<SettingKey>([
  'subAnnounce',
  'subRoutingRules',
  'subJsonMux',
  'subJsonRules',
  'subJsonFinalMask',
  'subYamlRules',
  'ipLimitAllowlist',
]);

/** Whether the API never returns the value, only whether there is one. */
export function isSecretKey(key: SettingKey): boolean {
  return (SECRET_KEYS as readonly SettingKey[]).includes(key);
}
