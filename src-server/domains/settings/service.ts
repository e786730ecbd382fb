import type { Basics } from '../basics.ts';
import type { JsonObject } from '../../contract/json.ts';
import { parseJsonObject } from '../../contract/json-text.ts';
import { DomainError } from '../../contract/domain-error.ts';
import type { CertificateWarning } from '../../contract/certificate-warning.ts';
import { warningsBeforeSave } from './checks/certificate-warnings.ts';
import type {
  EffectiveDefaults,
  SettingsCertificates,
  SettingsFlags,
  SettingsPlaces,
  SettingsSave,
  SettingsView,
} from './contract.ts';
import { createHiddenSettings, type HiddenSettings } from './hidden-settings.ts';
import { presentEffectiveDefaults, presentSettings } from './present.ts';
import type { SettingsCaller } from './proofs.ts';
import { checkPlaces, checkRestored, createSave, type SaveDeps } from './save.ts';
import { createSnapshot, type SettingsSnapshot } from './snapshot.ts';
import { DEFAULTS, isSecret, SETTING_KEYS } from './stored-values.ts';
import { compilePattern } from './checks/user-agent-pattern.ts';

/** Time between the response and the restart, so that the response arrives. */
const RESTART_GRACE_MS = 3000;

export interface SettingsServiceDeps extends SaveDeps, Pick<Basics, 'schedule' | 'publish' | 'log'> {
  /** Ends this process with the exit code that requests a restart. */
  requestRestart(): void;
  /** Whether at least one API token is enabled. */
  hasApiToken(): Promise<boolean>;
  /** Whether per-client IP limits can be enforced on this machine. */
  isIpLimitUsable(): boolean;
  /** The built-in core template. */
  defaultTemplate: JsonObject;
  isDevBuild: boolean;
  /** Settings from the command line that override the stored ones for this run. */
  startOptions?: SettingsFlags['startOptions'];
}

/** Settings of the panel: read synchronously anywhere, saved as a whole. */
export interface SettingsService extends SettingsSnapshot, HiddenSettings {
  /** Stored settings as returned, secrets emptied; includes what other processes saved. */
  view(): Promise<SettingsView>;
  /** @param host Host of the request. */
  effectiveDefaults(host: string): Promise<EffectiveDefaults>;
  /**
   * Saves the settings in `body`, all or nothing.
   * @param requestId included in the event, so that the page that saved can ignore its echo.
   * @throws {DomainError} `settings.*`, and what the step-up throws.
   */
  save(caller: SettingsCaller, body: SettingsSave, requestId: string): Promise<void>;
  /** @throws {DomainError} when the servers of the panel cannot use these addresses and ports. */
  checkPlaces(body: SettingsPlaces): Promise<null>;
  /** @throws {DomainError} when these former texts would not be accepted today; null = the default */
  checkRestored(texts: ReadonlyMap<string, string | null>): Promise<void>;
  /** Certificates that a save would change and that visitors will refuse. */
  checkCertificates(body: SettingsCertificates): Promise<CertificateWarning[]>;
  /** Restarts the panel in three seconds; further calls meanwhile do nothing. */
  restartPanel(): void;
  /** Built-in value of every setting except the secrets, as stored text. */
  factoryDefaults(): Record<string, string>;
  /** @throws {DomainError} `settings.regexTooLong`, `settings.regexInvalid` */
  validateRegex(source: string): void;
  defaultTemplate(): JsonObject;
}

export async function createSettingsService(deps: SettingsServiceDeps): Promise<SettingsService> {
  const { store, secrets, publish } = deps;
  const snapshot = await createSnapshot(deps);
  const hidden = createHiddenSettings(store, secrets);
  const write = createSave(deps);
  let isRestarting = false;

  async function isAccessLogOn(): Promise<boolean> {
    const template = parseJsonObject(await hidden.hidden('coreTemplateConfig')) ?? deps.defaultTemplate;
    const log = template['log'];
    const access = typeof log === 'object' && log !== null && !Array.isArray(log) ? log['access'] : undefined;
    return typeof access === 'string' && access !== '' && access !== 'none';
  }

  return {
    ...snapshot,
    ...hidden,
    async view() {
      await snapshot.refresh();
      return presentSettings(snapshot.stored(), {
        ipLimitEnable: deps.isIpLimitUsable(),
        hasApiToken: await deps.hasApiToken(),
        hasTunnelSecret: (await hidden.hidden('tunnel')) !== '',
        hasVpnSecret: (await hidden.hidden('vpn')) !== '',
        startOptions: deps.startOptions ?? {},
      });
    },
    async effectiveDefaults(host) {
      await snapshot.refresh();
      return presentEffectiveDefaults(snapshot.current(), host, {
        ipLimitEnable: deps.isIpLimitUsable(),
        accessLogEnable: await isAccessLogOn(),
        devChannelEnable: (await hidden.hidden('devChannelEnable')) === 'true',
        isDevBuild: deps.isDevBuild,
      });
    },
    async save(caller, body, requestId) {
      const changed = await write(caller, body);
      if (changed.length === 0) return;
      await snapshot.refresh();
      deps.log.info('settings.saved', { settings: changed });
      publish({ type: 'invalidate', resource: 'settings', requestId });
    },
    async checkPlaces(body) {
      await checkPlaces(deps, body);
      return null;
    },
    checkRestored: (texts) => checkRestored(deps, texts),
    async checkCertificates(body) {
      await snapshot.refresh();
      return warningsBeforeSave(snapshot.stored(), body, deps.clock());
    },
    restartPanel() {
      if (isRestarting) return;
      isRestarting = true;
      deps.schedule.after(RESTART_GRACE_MS, () => deps.requestRestart());
    },
    factoryDefaults: () =>
      Object.fromEntries(SETTING_KEYS.filter((key) => !isSecret(key)).map((key) => [key, String(DEFAULTS[key])])),
    validateRegex(source) {
      const verdict = compilePattern(source);
      if (verdict.ok) return;
      if (verdict.kind === 'tooLong') throw new DomainError('settings.regexTooLong');
      throw new DomainError('settings.regexInvalid', { reason: verdict.reason });
    },
    defaultTemplate: () => deps.defaultTemplate,
  };
}
