import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { defaultTemplate } from '../../core/config/template/default-template.ts';
import { API_TOKEN } from '../../testing/credentials.ts';
import { CLIENT_EVENT_KINDS, EVENT_KINDS } from '../events/contract.ts';
import { makeSelfSigned } from '../../testing/peers/self-signed.ts';
import { startSettingsPanel, type SettingsPanel } from '../../testing/panels/settings-panel.ts';
import { send } from '../../testing/peers/test-browser.ts';
import { SECRET_KEYS, type SettingsView } from './contract.ts';
import { DEFAULTS, SETTING_KEYS } from './stored-values.ts';

let panel: SettingsPanel;
/** A panel for each test of a `describe`; or one for all if none of them changes anything. */
function usePanel(isShared = false): void {
  (isShared ? beforeAll : beforeEach)(async () => {
    panel = await startSettingsPanel();
  });
  (isShared ? afterAll : afterEach)(() => panel.close());
}

const all = async () => (await panel.post('all')).obj as SettingsView;

/** A valid value other than the default, per key that an ordinary save can change. */
const OTHER_VALUES: Record<string, string | number | boolean> = {
  webListen: '127.0.0.1',
  webDomain: 'panel.example.com',
  webPort: 65_535,
  webBasePath: '/hidden/',
  sessionMaxAge: 525_600,
  trustedProxyCIDRs: '10.0.0.0/8, 2001:db8::/32,192.0.2.1',
  ipLimitAllowlist: '10.0.0.1,fd00::/8',
  panelOutbound: 'direct',
  pageSize: 1000,
  expireDiff: 4,
  trafficDiff: 5,
  trafficDiffPercent: 100,
  remarkTemplate: ' {{EMAIL}} ',
  subShowIdentityOnAllLinks: true,
  datepicker: 'jalalian',
  timeLocation: 'Europe/Berlin',
  restartCoreOnClientDisable: false,
  externalTrafficInformEnable: true,
  externalTrafficInformURI: 'https://hook.example/in?x=1#y',
  outboundDownThreshold: 100,
  tunnelUpdateInterval: 7,
  tgBotEnable: true,
  tgBotProxy: 'socks5://user:pw@127.0.0.1:1080',
  tgBotAPIServer: 'http://bot.example:8081',
  tgBotChatId: '12,-100345',
  tgRunTime: '@every 8h',
  tgBotBackup: true,
  tgCpu: 0,
  tgLang: 'fa-IR',
  tgEnabledEvents: 'node.down,node.up',
  smtpEnable: true,
  smtpHost: 'mail.example',
  smtpPort: 465,
  smtpUsername: 'me@example.com',
  smtpFrom: 'Panel <panel@example.com>',
  smtpFromName: 'Panel',
  smtpTo: 'a@example.com, b@example.com',
  smtpEncryptionType: 'tls',
  smtpEnabledEvents: 'core.crash',
  smtpCpu: 100,
  smtpAllowPrivate: true,
  smtpClientEvents: 'client.expiring,client.depleted',
  smtpNewClientLink: true,
  panelEnabledEvents: 'node.down',
  desktopEnabledEvents: 'core.crash',
  panelCpu: 0,
  clientQuotaNotices: '50, 90',
  subEnable: false,
  subListen: '::1',
  subPort: 1,
  subPath: '/s/',
  subDomain: 'sub.example.com',
  subUpdates: 168,
  subEncrypt: false,
  subURI: 'https://cdn.example/s/',
  subTitle: 'My service',
  subPageColor: '#e8590c',
  subPagePicture: 'data:image/png;base64,iVBORw0KGgo=',
  subAnnounce: 'line one\nline two',
  subSupportUrl: 'https://t.me/support',
  subProfileUrl: 'https://example.com/me',
  subEnableRouting: true,
  subRoutingRules: 'https://rules.example/list',
  subHideSettings: true,
  subThemeDir: '/srv/theme',
  subJsonEnable: true,
  subJsonPath: '/j/',
  subJsonURI: 'https://cdn.example/j/',
  subJsonMux: '{"enabled":true}',
  subJsonRules: '[{"type":"field"}]',
  subJsonFinalMask: '{"tcp":[]}',
  subJsonAutoDetect: true,
  subJsonAlwaysArray: true,
  subJsonUserAgentRegex: '(?i)^happ/',
  subYamlEnable: true,
  subYamlPath: '/y/',
  subYamlURI: 'https://cdn.example/y/',
  subYamlEnableRouting: true,
  subYamlRules: '- MATCH,DIRECT\n',
  subYamlAutoDetect: true,
  subYamlUserAgentRegex: '(?i)(clash|stash)',
  ldapEnable: true,
  ldapHost: 'ldap.example',
  ldapPort: 636,
  ldapUseTLS: true,
  ldapStartTLS: true,
  ldapInsecureSkipVerify: true,
  ldapAllowPrivate: true,
  ldapSignIn: false,
  ldapBindDN: 'cn=admin,dc=example',
  ldapBaseDN: 'dc=example',
  ldapUserFilter: '(uid=*)',
  ldapUserAttr: 'uid',
  ldapVlessField: 'vpn',
  ldapFlagField: 'flag',
  ldapTruthyValues: '1,yes',
  ldapInvertFlag: true,
  ldapSyncCron: '0 */5 * * * *',
  ldapInboundTags: 'in-443-tcp',
  ldapAutoCreate: true,
  ldapAutoDelete: true,
  ldapDefaultTotalGB: 10,
  ldapDefaultExpiryDays: 30,
  ldapDefaultLimitIP: 2,
  tgBotAllowPrivate: true,
  tgBotWebhookURL: 'https://panel.example/hidden/',
  tgBotToken: '12345:abc',
  tgBotBackupPassphrase: 'backup secret',
  smtpPassword: 'mail secret ',
  ldapPassword: 'directory secret',
};
const SECRETS = ['tgBotToken', 'tgBotBackupPassphrase', 'smtpPassword', 'ldapPassword'];
/** Covered by other tests: they need files or codes. */
const APART = ['webCertFile', 'webKeyFile', 'subCertFile', 'subKeyFile', 'twoFactorEnable', 'twoFactorToken'];

describe('the settings object', () => {
  usePanel();

  it('returns every key of a new panel with its default, and every flag', async () => {
    expect(await all()).toEqual({
      ...DEFAULTS,
      ipLimitEnable: true,
      hasTwoFactorToken: false,
      hasTgBotToken: false,
      hasTgBotBackupPassphrase: false,
      hasSmtpPassword: false,
      hasLdapPassword: false,
      hasApiToken: true,
      hasTunnelSecret: false,
      hasVpnSecret: false,
      startOptions: { webListen: '127.0.0.1', webPort: 0, subListen: '127.0.0.1', subPort: 0 },
    });
    expect(await panel.rows()).toEqual({});
  });

  it('has a sample value for every key', () => {
    expect([...Object.keys(OTHER_VALUES), ...APART].sort()).toEqual([...SETTING_KEYS].sort());
  });

  it('stores every key as text, seals the secrets and reads all of it back', async () => {
    expect(await panel.post('update', OTHER_VALUES)).toEqual({
      success: true,
      msg: 'The parameters have been changed.',
      obj: null,
    });
    // The panel could then be requested by that name only.
    panel.settings.override({ webDomain: '' });
    const rows = await panel.rows();
    const view = (await all()) as unknown as Record<string, unknown>;
    for (const [key, value] of Object.entries(OTHER_VALUES)) {
      const isSecret = SECRETS.includes(key);
      expect(view[key], key).toBe(isSecret ? '' : value);
      if (isSecret) {
        expect(rows[key], key).toMatch(/^v1:/);
        expect(rows[key], key).not.toContain(value);
      } else expect(rows[key], key).toBe(String(value));
      expect(panel.settings.stored()[key as 'webPort'], key).toBe(value);
    }
    expect(view).toMatchObject({ hasTgBotToken: true, hasSmtpPassword: true, hasLdapPassword: true });
    expect(panel.events).toEqual([{ type: 'invalidate', resource: 'settings', requestId: 'request-1' }]);
    const another = await panel.createAnother();
    expect(another.current()).toEqual(panel.settings.stored());
  });

  it('leaves absent keys alone, ignores unknown and output-only ones, and writes only changes', async () => {
    await panel.post('update', { webPort: 8443, ipLimitEnable: false, hasApiToken: true, nonsense: { deep: [1] } });
    expect(await panel.rows()).toEqual({ webPort: '8443' });
    await panel.post('update', await all());
    expect(await panel.rows()).toEqual({ webPort: '8443' });
    expect(panel.events).toHaveLength(1);
  });

  it('reads emptied and broken rows as defaults instead of failing', async () => {
    await panel.store.write(async (trx) => {
      const rows = {
        webPort: '',
        subEnable: '',
        pageSize: 'many',
        tgCpu: '900',
        timeLocation: 'Mars/Base',
        webDomain: '',
      };
      for (const [key, value] of Object.entries(rows))
        await trx.insertInto('settings').values({ key, value }).execute();
    });
    const view = await all();
    expect(view).toMatchObject({ webPort: 2053, subEnable: true, pageSize: 25, tgCpu: 80, timeLocation: 'Local' });
    const complaints = panel.log.lines.filter(({ event }) => event.startsWith('settings.'));
    expect(complaints.map(({ event, fields }) => [event, fields['setting']])).toEqual([
      ['settings.invalidValue', 'pageSize'],
      ['settings.invalidValue', 'tgCpu'],
      ['settings.invalidValue', 'timeLocation'],
    ]);
  });

  it('accepts one port on two different addresses', async () => {
    const body = { webListen: '127.0.0.1', subListen: '127.0.0.2', subPort: 2053 };
    expect((await panel.post('update', body)).success).toBe(true);
  });

  it('normalises paths, links and lists', async () => {
    await panel.post('update', {
      webBasePath: '/panel',
      subSupportUrl: 't.me/help',
      subProfileUrl: 'mailto:me@example.com',
      tgBotChatId: ' 1 , ,-2 ',
      trustedProxyCIDRs: ' ',
      externalTrafficInformURI: 'HTTPS://user:pw@Hook.Example:443/a?b#c',
      tgBotAPIServer: 'http://bot.example',
      subRoutingRules: 'https://rules.example/x#part',
      subJsonUserAgentRegex: '  happ ',
    });
    expect(await all()).toMatchObject({
      webBasePath: '/panel/',
      subSupportUrl: 'https://t.me/help',
      subProfileUrl: 'mailto:me@example.com',
      tgBotChatId: '1,-2',
      trustedProxyCIDRs: '127.0.0.1/32,::1/128',
      externalTrafficInformURI: 'https://hook.example/a?b#c',
      tgBotAPIServer: 'http://bot.example',
      subRoutingRules: 'https://rules.example/x',
      subJsonUserAgentRegex: 'happ',
    });
  });
});

describe('secrets', () => {
  usePanel();

  it('keeps stored ones when the redacted object is sent back, and clears only the one named', async () => {
    const secrets = { tgBotToken: 'bot', smtpPassword: 'mail', ldapPassword: 'dir' };
    await panel.post('update', secrets);
    await panel.post('update', { ...(await all()), smtpPassword: '   ' });
    expect(panel.settings.current()).toMatchObject(secrets);
    await panel.post('update', { ...(await all()), clearSmtpPassword: true });
    expect(panel.settings.current()).toMatchObject({ ...secrets, smtpPassword: '' });
    expect(await all()).toMatchObject({ hasTgBotToken: true, hasSmtpPassword: false, hasLdapPassword: true });
    expect(await panel.rows()).not.toHaveProperty('clearSmtpPassword');
    await panel.post('update', { clearTgBotToken: true, tgBotToken: 'new bot' });
    expect(panel.settings.current().tgBotToken).toBe('new bot');
    await panel.post('update', { clearTgBotToken: true, clearLdapPassword: true });
    expect(panel.settings.current()).toMatchObject({ tgBotToken: '', ldapPassword: '' });
  });

  it('reads a secret of a foreign key as empty, reports it, and can clear it', async () => {
    await panel.store.write(async (trx) => {
      await trx.insertInto('settings').values({ key: 'smtpPassword', value: 'v1:Zm9yZWlnbg==' }).execute();
    });
    expect(await all()).toMatchObject({ smtpPassword: '', hasSmtpPassword: false });
    expect(panel.log.lines).toContainEqual({
      level: 'error',
      event: 'settings.unreadableSecret',
      fields: { setting: 'smtpPassword' },
    });
    await panel.post('update', { clearSmtpPassword: true });
    expect(await panel.rows()).toEqual({ smtpPassword: '' });
  });
});

describe('a stored secret and the server it was entered for', () => {
  usePanel();

  const MAIL = { smtpHost: 'mail.example', smtpPassword: 'mail' };
  const DIRECTORY = { ldapHost: 'ldap.example', ldapUseTLS: true, ldapPort: 636, ldapPassword: 'dir' };
  const PLAIN_DIRECTORY = { ldapHost: 'ldap.example', ldapPassword: 'dir' };
  const BOT = { tgBotAPIServer: 'https://bot.example', tgBotToken: 'bot' };
  const PLAIN_BOT = { tgBotAPIServer: 'http://bot.example', tgBotToken: 'bot' };

  it.each<[field: string, stored: object, move: object]>([
    ['smtpPassword', MAIL, { smtpHost: 'elsewhere.example' }],
    ['smtpPassword', MAIL, { smtpHost: 'elsewhere.example', smtpPassword: ' ' }],
    ['smtpPassword', { smtpPassword: 'mail' }, { smtpHost: 'mail.example' }],
    ['smtpPassword', MAIL, { smtpEncryptionType: 'none' }],
    ['smtpPassword', { ...MAIL, smtpEncryptionType: 'none' }, { smtpPort: 2525 }],
    ['ldapPassword', DIRECTORY, { ldapHost: 'elsewhere.example' }],
    ['ldapPassword', DIRECTORY, { ldapUseTLS: false }],
    ['ldapPassword', DIRECTORY, { ldapInsecureSkipVerify: true }],
    ['ldapPassword', { ...DIRECTORY, ldapInsecureSkipVerify: true }, { ldapPort: 6636 }],
    ['ldapPassword', PLAIN_DIRECTORY, { ldapPort: 1389 }],
    ['tgBotToken', BOT, { tgBotAPIServer: 'https://elsewhere.example' }],
    ['tgBotToken', { tgBotToken: 'bot' }, { tgBotAPIServer: 'https://bot.example' }],
    ['tgBotToken', PLAIN_BOT, { tgBotProxy: 'socks5://elsewhere.example' }],
  ])('%s is not sent elsewhere: %j and then %j', async (field, stored, move) => {
    await panel.post('update', stored);
    const rows = await panel.rows();
    const refused = await panel.post('update', { ...(await all()), ...move });
    expect(refused).toMatchObject({ success: false, error: { code: 'settings.secretAgain', params: { field } } });
    expect((refused.obj as { issues: object[] }).issues).toMatchObject([{ field, rule: 'settings.secretAgain' }]);
    expect(await panel.rows()).toEqual(rows);

    expect(await panel.post('update', { ...move, [field]: 'entered again' })).toMatchObject({ success: true });
    await panel.post('update', stored);
    const clear = `clear${field[0]!.toUpperCase()}${field.slice(1)}`;
    expect(await panel.post('update', { ...move, [clear]: true })).toMatchObject({ success: true });
    expect(panel.settings.current()).toMatchObject({ [field]: '' });
  });

  it.each<[stored: object, change: object]>([
    [MAIL, { smtpEncryptionType: 'tls', smtpPort: 465, smtpUsername: 'other', smtpTo: 'a@b.example' }],
    [{ ...MAIL, smtpEncryptionType: 'none' }, { smtpEncryptionType: 'starttls' }],
    [DIRECTORY, { ldapUseTLS: false, ldapStartTLS: true, ldapPort: 389, ldapBindDN: 'cn=other' }],
    [PLAIN_DIRECTORY, { ldapUseTLS: true, ldapPort: 636 }],
    [BOT, { tgBotProxy: 'socks5://127.0.0.1:1080', tgBotChatId: '1' }],
    [BOT, { tgBotAPIServer: '' }],
    [MAIL, { smtpHost: '' }],
    [{ smtpHost: 'mail.example' }, { smtpHost: 'elsewhere.example' }],
  ])('is kept where it goes to the same server as safely: %j and then %j', async (stored, change) => {
    await panel.post('update', stored);
    expect(await panel.post('update', { ...(await all()), ...change })).toMatchObject({ success: true });
    expect(panel.settings.current()).toMatchObject({ ...stored, ...change });
  });

  it('is kept by the panel itself', async () => {
    await panel.post('update', MAIL);
    await panel.settings.save({ kind: 'local' }, { smtpHost: 'elsewhere.example' }, '');
    expect(panel.settings.current()).toMatchObject({ smtpHost: 'elsewhere.example', smtpPassword: 'mail' });
  });

  it('does not come back by undoing what erased or replaced it, nor goes back to a former server', async () => {
    await panel.post('update', { smtpHost: 'old.example' });
    await panel.post('update', { smtpHost: 'mail.example' });
    await panel.post('update', { smtpPassword: 'mail' });
    const texts = (over: Record<string, string>) => panel.settings.checkRestored(new Map(Object.entries(over)));
    const refusal = { code: 'settings.secretAgain', params: { field: 'smtpPassword' } };
    await expect(texts({ smtpHost: 'old.example' })).rejects.toMatchObject(refusal);
    await expect(texts({ pageSize: '5' })).resolves.toBeUndefined();
    const { smtpPassword = '' } = await panel.rows();
    await panel.post('update', { smtpHost: 'elsewhere.example', clearSmtpPassword: true });
    await expect(texts({ smtpPassword })).rejects.toMatchObject(refusal);
    await expect(texts({ smtpHost: 'mail.example' })).resolves.toBeUndefined();
  });
});

describe('refusals', () => {
  usePanel(true);

  it('names every field that is out of bounds, and stores nothing', async () => {
    const response = await panel.post('update', {
      webPort: 65_536,
      subPort: 0,
      ldapPort: 0,
      smtpPort: -1,
      pageSize: 0,
      tgCpu: 101,
      smtpCpu: -1,
      subUpdates: 169,
      sessionMaxAge: 0,
      expireDiff: -1,
      trafficDiff: -1,
      trafficDiffPercent: 101,
      ldapDefaultTotalGB: -1,
      outboundDownThreshold: 0,
      smtpEncryptionType: 'ssl',
      subPath: 'sub/',
      webBasePath: '',
      smtpHost: 'a\nb',
      remarkTemplate: 'x'.repeat(1_000_000),
      subEnable: 'yes',
      tgBotToken: null,
      subTitle: 5,
      webDomain: 'fine.example',
    });
    expect(response.success).toBe(false);
    const { issues } = response.obj as { issues: { field: string; rule: string; param?: string }[] };
    expect(issues.map(({ field, rule, param }) => [field, rule, param])).toEqual([
      ['webPort', 'lte', '65535'],
      ['webBasePath', 'startswith', '/'],
      ['sessionMaxAge', 'gte', '1'],
      ['pageSize', 'gte', '1'],
      ['expireDiff', 'gte', '0'],
      ['trafficDiff', 'gte', '0'],
      ['trafficDiffPercent', 'lte', '100'],
      ['remarkTemplate', 'max', '2048'],
      ['outboundDownThreshold', 'gte', '1'],
      ['tgBotToken', 'type', 'string'],
      ['tgCpu', 'lte', '100'],
      ['smtpHost', 'format', 'line'],
      ['smtpPort', 'gte', '1'],
      ['smtpEncryptionType', 'oneof', 'none starttls tls'],
      ['smtpCpu', 'gte', '0'],
      ['subEnable', 'type', 'boolean'],
      ['subPort', 'gte', '1'],
      ['subPath', 'startswith', '/'],
      ['subUpdates', 'lte', '168'],
      ['subTitle', 'type', 'string'],
      ['ldapPort', 'gte', '1'],
      ['ldapDefaultTotalGB', 'gte', '0'],
    ]);
    expect(await panel.rows()).toEqual({});
  });

  it('answers malformed JSON with an empty list and the reason', async () => {
    const response = await panel.post('update', '{"webPort": ');
    expect(response).toMatchObject({ success: false, obj: { issues: [] } });
    expect((response.obj as { message: string }).message).not.toBe('');
    expect(await panel.post('update', '[1]')).toMatchObject({ success: false });
    expect(await panel.post('update', '{"__proto__": {"webPort": 1}}')).toMatchObject({ success: false });
    expect(await panel.rows()).toEqual({});
  });

  it.each<[Record<string, unknown>, string]>([
    [{ externalTrafficInformURI: 'ftp://x/y' }, 'external traffic inform URI is invalid: unsupported URL scheme "ftp"'],
    [{ externalTrafficInformURI: 'https:///path' }, 'external traffic inform URI is invalid: URL host is required'],
    [{ tgBotAPIServer: 'bot.example' }, 'messaging API server URL is invalid: unsupported URL scheme ""'],
    [{ tgBotAPIServer: 'http://user@/x' }, 'messaging API server URL is invalid: URL host is required'],
    [{ subRoutingRules: 'http://rules.example' }, 'subRoutingRules must be an absolute HTTPS URL'],
    [{ subYamlRules: 'https://u:p@rules.example' }, 'subYamlRules must not contain URL credentials'],
    [{ subJsonUserAgentRegex: 'x'.repeat(2049) }, 'JSON User-Agent regex must not exceed 2048 characters'],
    [
      { subYamlUserAgentRegex: '(' },
      'YAML User-Agent regex is invalid: Invalid regular expression: /(/: Unterminated group',
    ],
    [
      { subYamlUserAgentRegex: '(a+)+$' },
      'YAML User-Agent regex is invalid: a repeated group must not repeat or choose inside',
    ],
    [{ webListen: 'localhost' }, 'web listen is not valid ip: localhost'],
    [{ webListen: '[::1]' }, 'web listen is not valid ip: [::1]'],
    [{ subListen: '1.2.3' }, 'Sub listen is not valid ip: 1.2.3'],
    [{ subPort: 2053 }, 'Sub and Web could not use same ip:port,  : 2053 &  : 2053'],
    [{ subPort: 2053, subListen: '127.0.0.1' }, 'Sub and Web could not use same ip:port, 127.0.0.1 : 2053 &  : 2053'],
    [
      { subPort: 2053, subListen: '::', webListen: '10.0.0.1' },
      'Sub and Web could not use same ip:port, :: : 2053 & 10.0.0.1 : 2053',
    ],
    [
      { webPort: 10_882, webListen: '::1', subListen: '0:0:0:0:0:0:0:1' },
      'Sub and Web could not use same ip:port, 0:0:0:0:0:0:0:1 : 10882 & ::1 : 10882',
    ],
    [{ webBasePath: '/a b/' }, 'URI path contains an invalid character: web base path'],
    [{ subPath: '/a\\b/' }, 'URI path contains an invalid character: subscription path'],
    [{ subJsonPath: '/a?b' }, 'URI path contains an invalid character: subscription JSON path'],
    [{ subYamlPath: '/a/../b/' }, 'URI path contains an invalid character: subscription YAML path'],
    [{ subPath: '//' }, 'URI path contains an invalid character: subscription path'],
    [{ webBasePath: '/./b' }, 'URI path contains an invalid character: web base path'],
    [{ subPath: '/a/.' }, 'URI path contains an invalid character: subscription path'],
    [{ subJsonPath: '/..' }, 'URI path contains an invalid character: subscription JSON path'],
    [{ webBasePath: '/a;HttpOnly/' }, 'URI path contains an invalid character: web base path'],
    [{ webBasePath: '/:id/' }, 'URI path contains an invalid character: web base path'],
    [{ subJsonPath: '/sub' }, 'two subscription formats use the path /sub/; give each a path of its own'],
    [{ subJsonPath: '/sub/mail' }, 'subJsonPath must not be /sub/mail/: e-mails to clients link to pages there'],
    [{ subPath: '/', subYamlPath: '/mail/' }, 'subYamlPath must not be /mail/: e-mails to clients link to pages there'],
    [{ trustedProxyCIDRs: '10.0.0.0/8,10.0.0.0/33' }, 'trusted proxy CIDR is not valid: 10.0.0.0/33'],
    [{ ipLimitAllowlist: '10.0.0.1,example.com' }, 'IP limit allowlist entry is not valid: example.com'],
    [{ timeLocation: 'Mars/Base' }, 'time location not exist: Mars/Base'],
    [{ timeLocation: '+03:00' }, 'time location not exist: +03:00'],
    [{ smtpFrom: 'nobody' }, 'SMTP from address is not valid: nobody'],
    [{ smtpFrom: 'A <a@b>\r\nBcc: x@y' }, 'SMTP from address is not valid: A <a@b>\r\nBcc: x@y'],
    [{ smtpTo: 'a@b.example, c' }, 'SMTP recipient is not a valid address: c'],
    [
      { webDomain: 'https://panel.example' },
      'webDomain must be a host name without scheme, port and path: https://panel.example',
    ],
    [{ subDomain: 'sub.example:443' }, 'subDomain must be a host name without scheme, port and path: sub.example:443'],
    [{ tgBotChatId: '1,two' }, 'messaging chat id is not a whole number: two'],
    [{ tgBotProxy: 'ftp://x' }, 'messaging proxy must be a socks5://, http:// or https:// URL'],
    [
      { tgRunTime: '* * * * *' },
      'tgRunTime is not a schedule: * * * * *. Use six cron fields starting with seconds, @every 8h, @hourly, @daily, @weekly or @monthly',
    ],
    [
      { smtpEnabledEvents: 'cpu.high,coffee.empty' },
      `smtpEnabledEvents names an unknown event: coffee.empty. Known events: ${EVENT_KINDS.join(', ')}`,
    ],
    [
      { smtpClientEvents: 'core.crash' },
      `smtpClientEvents names an unknown event: core.crash. Known events: ${CLIENT_EVENT_KINDS.join(', ')}`,
    ],
    [{ clientQuotaNotices: '80, 100' }, 'A percent of the quota is a whole number from 1 to 99: 100'],
    [
      { subSupportUrl: 'javascript://%0aalert(1)' },
      'subSupportUrl must be a web address; javascript:, data: and vbscript: are refused',
    ],
    [{ subJsonMux: '[]' }, 'subJsonMux must be a JSON object, or empty'],
    [{ subJsonRules: '['.repeat(10_000) + ']'.repeat(10_000) }, 'subJsonRules must be a JSON array, or empty'],
    [
      { webCertFile: '/nowhere/a.pem', webKeyFile: '/nowhere/b.pem' },
      'cert file /nowhere/a.pem or key file /nowhere/b.pem invalid: the certificate file cannot be read as a PEM certificate chain; give the absolute path of one that the panel may read',
    ],
  ])('refuses %.80j with its text and stores nothing', async (body, text) => {
    expect(await panel.post('update', { pageSize: 30, ...body })).toMatchObject({
      success: false,
      msg: text,
      obj: null,
    });
    expect(await panel.rows()).toEqual({});
    expect(panel.events).toEqual([]);
  });

  it.each([
    ['subSupportUrl', 't.me/'.padEnd(2048, 'x')],
    ['tgBotAPIServer', 'https://bot.example/'.padEnd(4096, 'ü')],
    ['subPath', '/'.padEnd(256, 'x')],
  ])('refuses a %s that is too long with what is added to it; stored, it could not be read', async (field, text) => {
    const response = await panel.post('update', { [field]: text });
    expect(response).toMatchObject({ success: false, obj: { issues: [{ field, rule: 'max' }] } });
    expect(await panel.rows()).toEqual({});
  });
});

describe('certificate pairs', () => {
  usePanel();

  async function files(name: string, validForDays?: number) {
    const folder = join(panel.dataDir, 'certificates');
    await mkdir(folder, { recursive: true });
    const { certPem, keyPem } = makeSelfSigned(validForDays);
    const certFile = join(folder, `${name}.crt`);
    const keyFile = join(folder, `${name}.key`);
    await writeFile(certFile, certPem);
    await writeFile(keyFile, keyPem);
    return { certFile, keyFile, certPem };
  }

  it('accepts a matching pair, even an expired one', async () => {
    const web = await files('web');
    const sub = await files('sub', -1);
    const body = {
      webCertFile: web.certFile,
      webKeyFile: web.keyFile,
      subCertFile: sub.certFile,
      subKeyFile: sub.keyFile,
    };
    expect((await panel.post('update', body)).success).toBe(true);
    expect(await all()).toMatchObject(body);
    // A file that became invalid since does not block saving something else, but a new pair is always checked.
    await writeFile(web.certFile, 'garbage');
    expect((await panel.post('update', { ...(await all()), pageSize: 50 })).success).toBe(true);
    expect((await panel.post('update', { webCertFile: `${web.certFile}2` })).success).toBe(false);
  });

  it('causes a warning before a save when visitors will refuse it, as far as the save changes it', async () => {
    const { certFile, keyFile } = await files('web', -3);
    panel.jumpClock(Date.now() - panel.clock());
    expect((await panel.post('checkCertificates', { webDomain: 'panel.example' })).obj).toEqual([]);
    const warned = [
      { kind: 'expired', field: 'webCertFile', file: certFile },
      { kind: 'nameMissing', field: 'webCertFile', name: 'panel.example', names: ['localhost', '127.0.0.1'] },
    ];
    const body = { webCertFile: certFile, webKeyFile: keyFile, webDomain: 'panel.example' };
    expect((await panel.post('checkCertificates', body)).obj).toMatchObject(warned);
    expect(await panel.rows()).toEqual({});
    panel.settings.override({ webDomain: '' });
    expect((await panel.post('update', body)).success).toBe(true);
    expect((await panel.post('checkCertificates', { webDomain: 'localhost' })).obj).toMatchObject([
      { kind: 'expired' },
    ]);
    expect((await panel.post('checkCertificates', { subDomain: 'panel.example' })).obj).toEqual([]);
    expect(
      (await panel.post('checkCertificates', { subDomain: 'x.example', subCertFile: certFile })).obj,
    ).toMatchObject([
      { kind: 'expired', field: 'subCertFile' },
      { kind: 'nameMissing', field: 'subCertFile', name: 'x.example' },
    ]);
  });

  it('refuses half a pair, a key of another certificate, a folder and a relative path', async () => {
    const web = await files('web');
    const other = await files('other');
    const unreadable =
      'the certificate file cannot be read as a PEM certificate chain; give the absolute path of one that the panel may read';
    for (const [webCertFile, webKeyFile, reason] of [
      [
        web.certFile,
        '',
        'the key file cannot be read as an unencrypted PEM private key; give the absolute path of one that the panel may read',
      ],
      ['', web.keyFile, unreadable],
      [web.certFile, other.keyFile, 'the key does not belong to the certificate'],
      [web.keyFile, web.keyFile, unreadable],
      [panel.dataDir, web.keyFile, unreadable],
      ['web.crt', web.keyFile, unreadable],
    ] as const) {
      const response = await panel.post('update', { webCertFile, webKeyFile });
      expect(response.msg).toBe(`cert file ${webCertFile} or key file ${webKeyFile} invalid: ${reason}`);
    }
    expect(await panel.rows()).toEqual({});
  });
});

describe('concurrency', () => {
  usePanel();

  it('keeps both of two saves that change different keys', async () => {
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        panel.post('update', i % 2 === 0 ? { pageSize: 30 + i } : { tgCpu: 40 + i }),
      ),
    );
    expect(responses.every(({ success }) => success)).toBe(true);
    const view = await all();
    expect(view.pageSize).toBeGreaterThanOrEqual(30);
    expect(view.tgCpu).toBeGreaterThanOrEqual(40);
  });

  it('checks again when another process saved meanwhile, so two halves of a collision are never stored', async () => {
    const another = await panel.createAnother();
    const results = await Promise.allSettled([
      panel.settings.save({ kind: 'local' }, { webPort: 4443 }, ''),
      another.save({ kind: 'local' }, { subPort: 4443 }, ''),
    ]);
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1);
    const { webPort, subPort } = await all();
    expect(webPort).not.toBe(subPort);
  });

  it('sees what another process saved within a second, and notifies listeners of changes', async () => {
    const another = await panel.createAnother();
    const heard: string[][] = [];
    panel.settings.onChange(({ changed }) => heard.push([...changed]));
    await another.save({ kind: 'local' }, { pageSize: 99, tgBotToken: 'from there' }, '');
    await panel.advance(1000);
    panel.settings.current();
    await expect.poll(() => panel.settings.current().pageSize).toBe(99);
    expect(panel.settings.current().tgBotToken).toBe('from there');
    expect(heard).toEqual([['pageSize', 'tgBotToken']]);
  });

  it('adopts what another process saved at once on request, and keeps the last known when it cannot read', async () => {
    const another = await panel.createAnother();
    await another.save({ kind: 'local' }, { pageSize: 98 }, '');
    await panel.settings.refresh();
    expect(panel.settings.current().pageSize).toBe(98);
    panel.write('ALTER TABLE settings RENAME TO elsewhere');
    await expect
      .poll(async () => {
        await panel.settings.refresh();
        return panel.log.lines.at(-1);
      })
      .toMatchObject({ level: 'error', event: 'settings.refreshFailed' });
    expect(panel.settings.current().pageSize).toBe(98);
    panel.write('ALTER TABLE elsewhere RENAME TO settings');
  });

  it('lets values of this run override stored ones without storing them', async () => {
    panel.settings.override({ webPort: 40_001 });
    expect(panel.settings.current().webPort).toBe(40_001);
    expect((await all()).webPort).toBe(2053);
    await panel.post('update', await all());
    expect(await panel.rows()).toEqual({});
    await panel.post('update', { webPort: 8080 });
    expect(panel.settings.current().webPort).toBe(40_001);
    expect(panel.settings.stored().webPort).toBe(8080);
  });
});

describe('other calls', () => {
  usePanel();

  it('restarts three seconds after the response, once', async () => {
    expect(await panel.post('restartPanel')).toEqual({
      success: true,
      msg: 'The panel restarts in three seconds.',
      obj: null,
    });
    await panel.post('restartPanel');
    await panel.advance(2999);
    expect(panel.state.restarts).toBe(0);
    await panel.advance(10_000);
    expect(panel.state.restarts).toBe(1);
  });

  it('lists the factory default of everything but secrets, as text', async () => {
    await panel.post('update', { webPort: 9 });
    const { obj } = await panel.post('factoryDefaults');
    expect(obj).toMatchObject({ webPort: '2053', subEnable: 'true', tgCpu: '80', webListen: '' });
    expect(Object.keys(obj as object)).toHaveLength(SETTING_KEYS.length - SECRET_KEYS.length);
    expect(obj).not.toHaveProperty('tgBotToken');
  });

  it('validates a pattern', async () => {
    expect((await panel.post('validateRegex', { regex: '(?i)clash' })).success).toBe(true);
    expect((await panel.post('validateRegex', { regex: 'x'.repeat(2049) })).msg).toBe(
      'Regular expression must not exceed 2048 characters',
    );
    expect((await panel.post('validateRegex', { regex: '[' })).msg).toMatch(/^Regular expression is invalid: .+/);
    expect((await panel.post('validateRegex', {})).obj).toMatchObject({
      issues: [{ field: 'regex', rule: 'required' }],
    });
  });

  it('returns the built-in core template', async () => {
    expect((await panel.get('getDefaultJsonConfig')).obj).toEqual(defaultTemplate());
  });

  it('computes effective defaults from the host of the request', async () => {
    const from = async (host: string) =>
      (
        await send(`${panel.app.panel.url}panel/api/setting/defaultSettings`, {
          method: 'POST',
          body: {},
          headers: { host, authorization: `Bearer ${API_TOKEN}` },
        })
      ).json?.obj;
    expect(await from('panel.example:2053')).toEqual({
      expireDiff: 3,
      trafficDiff: 0,
      trafficDiffPercent: 10,
      pageSize: 25,
      defaultCert: '',
      defaultKey: '',
      tgBotEnable: false,
      ipLimitEnable: true,
      accessLogEnable: false,
      subThemeDir: '',
      subEnable: true,
      subJsonEnable: false,
      subYamlEnable: false,
      subTitle: '',
      subURI: `http://panel.example:${new URL(panel.app.sub).port}/sub/`,
      subJsonURI: '',
      subYamlURI: '',
      webDomain: '',
      subDomain: '',
      datepicker: 'gregorian',
      devChannelEnable: false,
      isDevBuild: false,
    });
    await panel.settings.setHidden('coreTemplateConfig', '{"log":{"access":"./access.log"}}');
    await panel.settings.setHidden('devChannelEnable', 'true');
    expect(await from('x')).toMatchObject({ accessLogEnable: true, devChannelEnable: true });
  });
});

describe('hidden settings', () => {
  usePanel();

  it('creates the secret and the GUID once, keeps them, and replaces a blanked secret', async () => {
    const [first, second] = await Promise.all([panel.settings.hidden('secret'), panel.settings.hidden('secret')]);
    expect(first).toMatch(/^[A-Za-z0-9]{32}$/);
    expect(second).toBe(first);
    const guid = await panel.settings.hidden('panelGuid');
    expect(guid).toMatch(/^[0-9a-f-]{36}$/);
    const another = await panel.createAnother();
    expect([await another.hidden('secret'), await another.hidden('panelGuid')]).toEqual([first, guid]);
    expect((await panel.rows())['secret']).toMatch(/^v1:/);
    await panel.settings.setHidden('secret', '');
    expect(await panel.settings.hidden('secret')).toMatch(/^[A-Za-z0-9]{32}$/);
    expect(await panel.settings.hidden('secret')).not.toBe(first);
  });

  it('reads and writes inside a transaction, and a rollback undoes it', async () => {
    await panel.store
      .write(async (trx) => {
        await panel.settings.setHidden('coreTemplateConfig', '{"a":1}', trx);
        expect(await panel.settings.hidden('coreTemplateConfig', trx)).toBe('{"a":1}');
        throw new Error('no');
      })
      .catch(() => undefined);
    expect(await panel.settings.hidden('coreTemplateConfig')).toBe('');
    expect(await panel.settings.hidden('coreOutboundTestUrl')).toBe('https://www.google.com/generate_204');
  });

  it('returns only whether provider credentials exist', async () => {
    await panel.settings.setHidden('tunnel', '{"token":"t"}');
    const view = await all();
    expect(view).toMatchObject({ hasTunnelSecret: true, hasVpnSecret: false, hasApiToken: true });
    expect(view).not.toHaveProperty('tunnel');
    expect((await panel.rows())['tunnel']).toMatch(/^v1:/);
    const browser = await panel.signedIn();
    panel.write('DELETE FROM apiTokens');
    const without = await browser.post('panel/api/setting/all');
    expect(without.json?.obj).toMatchObject({ hasTunnelSecret: true, hasApiToken: false });
  });
});
