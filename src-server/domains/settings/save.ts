import { DomainError } from '../../contract/domain-error.ts';
import { ValidationError } from '../../contract/envelope.ts';
import { toValidationIssues } from '../../contract/validation.ts';
import type { Store, WriteTransaction } from '../../store/open-store.ts';
import type { Secrets } from '../../store/secrets/secrets.ts';
import { loadCertificatePair } from './checks/certificate-pair.ts';
import { SECRET_KEYS, Settings, type SettingKey, type SettingsSave } from './contract.ts';
import { checkFields } from './checks/field-checks.ts';
import { checkListen, checkPorts } from './checks/listen-check.ts';
import { checkPaths } from './checks/path-check.ts';
import { checkSecretPlaces } from './checks/secret-places.ts';
import { createProofs, type ProofDeps, type Proofs, type SettingsCaller } from './proofs.ts';
import { endAllSessions, lastTotpStep, readRows, writeRow } from './repository.ts';
import { fromStored, isSecret, normalise, SETTING_KEYS, toStored } from './stored-values.ts';
import type { TwoFactorChange } from './two-factor.ts';
import { compilePattern } from './checks/user-agent-pattern.ts';
import { normaliseRoutingRules, normaliseWebAddress } from './checks/web-address.ts';

export interface SaveDeps extends ProofDeps {
  store: Store;
  secrets: Secrets;
  /** @throws {DomainError} when a TCP port of this machine is taken, or will be when the core starts. */
  requireFreePort: (listen: string, port: number) => Promise<void>;
}

/** Another process may save between our check and our write; then everything is checked again against its values. */
const MAX_ATTEMPTS = 5;

const CLEAR_FLAGS = {
  clearTgBotToken: 'tgBotToken',
  clearTgBotBackupPassphrase: 'tgBotBackupPassphrase',
  clearLdapPassword: 'ldapPassword',
  clearSmtpPassword: 'smtpPassword',
} as const satisfies Partial<Record<keyof SettingsSave, SettingKey>>;

/** The save of settings: all checks first, then one transaction. Saves of this process take turns. */
export function createSave(deps: SaveDeps) {
  let lastSave: Promise<unknown> = Promise.resolve();

  /** @returns the keys that were written. @throws {DomainError} `settings.*`, and what the step-up throws. */
  return function save(caller: SettingsCaller, body: SettingsSave): Promise<SettingKey[]> {
    const turn = lastSave.then(() => {
      const proofs = createProofs(deps, caller, body);
      return proofs.settle(() => attemptUntilSettled(deps, caller, proofs, body));
    });
    lastSave = turn.catch(() => undefined);
    return turn;
  };
}

/** Called by a form while a port is typed. Saving checks again. @throws {DomainError} as the save for these fields */
export async function checkPlaces({ store, secrets, requireFreePort }: SaveDeps, body: SettingsSave): Promise<void> {
  const stored = fromStored(await readRows(store.reader, SETTING_KEYS), secrets).settings;
  const next = normalise(merged(stored, body));
  checkListen(next);
  await checkPorts(stored, next, requireFreePort);
}

/**
 * Checks whether former texts of settings would be accepted today.
 * @param texts stored texts by key; null = the row is deleted
 * @throws {DomainError} `settings.*`
 */
export async function checkRestored(
  { store, secrets, requireFreePort }: SaveDeps,
  texts: ReadonlyMap<string, string | null>,
): Promise<void> {
  const rows = await readRows(store.reader, SETTING_KEYS);
  const stored = fromStored(rows, secrets).settings;
  for (const [key, text] of texts) {
    if (text === null) rows.delete(key);
    else rows.set(key, text);
  }
  const next = fromStored(rows, secrets).settings;
  checkListen(next);
  await checkPorts(stored, next, requireFreePort);
  await checkCertificates(stored, next);
  checkPaths(next);
  checkFields(next);
  checkSecretPlaces(stored, next, () => false);
}

async function attemptUntilSettled(
  deps: SaveDeps,
  caller: SettingsCaller,
  proofs: Proofs,
  body: SettingsSave,
): Promise<SettingKey[]> {
  const { store, secrets, clock } = deps;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const rows = await readRows(store.reader, SETTING_KEYS);
    const stored = fromStored(rows, secrets).settings;
    const twoFactor = await proofs.twoFactor(stored);
    const next = await checked(deps, stored, body, twoFactor);
    // Who runs commands on this machine can read the secrets anyway.
    if (caller.kind !== 'local') checkSecretPlaces(stored, next, (key) => !isBlank(body[key]));
    const changed = changedKeys(stored, next, body);
    const isWritten = await store.write(async (trx) => {
      if (!isSame(rows, await readRows(trx, SETTING_KEYS))) return false;
      for (const key of changed) await writeRow(trx, key, toStored(key, next[key], secrets));
      if (twoFactor !== null) await applyTwoFactor(trx, twoFactor, clock());
      return true;
    });
    if (isWritten) return changed;
  }
  throw new DomainError('settings.keptChanging');
}

/** The settings after this save, in the order of checks: the first failure is reported. */
async function checked(
  { requireFreePort }: SaveDeps,
  stored: Settings,
  body: SettingsSave,
  twoFactor: TwoFactorChange | null,
): Promise<Settings> {
  const draft = merged(stored, body);
  draft.twoFactorEnable = twoFactor?.enable ?? stored.twoFactorEnable;
  draft.twoFactorToken = twoFactor?.token ?? stored.twoFactorToken;
  draft.externalTrafficInformURI = normaliseWebAddress(draft.externalTrafficInformURI, 'settings.informUri');
  draft.tgBotAPIServer = normaliseWebAddress(draft.tgBotAPIServer, 'settings.botServer');
  draft.tgBotWebhookURL = normaliseWebAddress(draft.tgBotWebhookURL, 'settings.botWebhook');
  draft.subRoutingRules = normaliseRoutingRules(draft.subRoutingRules, 'subRoutingRules');
  draft.subYamlRules = normaliseRoutingRules(draft.subYamlRules, 'subYamlRules');
  checkPattern(draft.subJsonUserAgentRegex, 'JSON');
  checkPattern(draft.subYamlUserAgentRegex, 'YAML');
  const next = normalise(draft);
  checkListen(next);
  await checkPorts(stored, next, requireFreePort);
  await checkCertificates(stored, next);
  // As typed: normalising would hide doubled slashes at the ends.
  checkPaths(draft);
  checkFields(next);
  // With the scheme, slashes and escapes that were added to what was typed.
  const fit = Settings.safeParse(next, { reportInput: true });
  if (!fit.success) throw new ValidationError(toValidationIssues(fit.error));
  return next;
}

function merged(stored: Settings, body: SettingsSave): Settings {
  const given = Object.entries(body).filter(([key, value]) => key in stored && value !== undefined);
  const draft = { ...stored, ...(Object.fromEntries(given) as Partial<Settings>) };
  for (const key of SECRET_KEYS) {
    if (isBlank(draft[key])) draft[key] = stored[key];
  }
  for (const [flag, key] of Object.entries(CLEAR_FLAGS) as [keyof typeof CLEAR_FLAGS, SettingKey][]) {
    // A new value replaces the stored one anyway, so the flag matters only together with a blank.
    if (body[flag] === true && isBlank(body[key])) Object.assign(draft, { [key]: '' });
  }
  return draft;
}

const isBlank = (value: string | number | boolean | undefined): boolean => String(value ?? '').trim() === '';

function changedKeys(stored: Settings, next: Settings, body: SettingsSave): SettingKey[] {
  const isCleared = (key: SettingKey) =>
    Object.entries(CLEAR_FLAGS).some(([flag, cleared]) => cleared === key && body[flag as keyof typeof CLEAR_FLAGS]);
  // An unreadable secret reads as empty, but clearing it must still delete the row's content.
  return SETTING_KEYS.filter((key) => next[key] !== stored[key] || (isSecret(key) && isCleared(key)));
}

function checkPattern(source: string, format: string): void {
  const verdict = compilePattern(source.trim());
  if (verdict.ok) return;
  if (verdict.kind === 'tooLong') throw new DomainError('settings.patternTooLong', { format });
  throw new DomainError('settings.patternInvalid', { format, reason: verdict.reason });
}

/** Only when a file name changes: a file that became invalid since must not block every other save. */
async function checkCertificates(stored: Settings, next: Settings): Promise<void> {
  for (const [cert, key] of [
    ['webCertFile', 'webKeyFile'],
    ['subCertFile', 'subKeyFile'],
  ] as const) {
    const isNew = next[cert] !== stored[cert] || next[key] !== stored[key];
    if (isNew && (next[cert] !== '' || next[key] !== '')) await loadCertificatePair(next[cert], next[key]);
  }
}

function isSame(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  return a.size === b.size && [...a].every(([key, value]) => b.get(key) === value);
}

async function applyTwoFactor(trx: WriteTransaction, change: TwoFactorChange, nowMs: number): Promise<void> {
  if (change.usedStep !== null && change.usedStep <= (await lastTotpStep(trx)))
    throw new DomainError('settings.twoFactorCode');
  await endAllSessions(trx, change.startAfterStep, nowMs);
}
