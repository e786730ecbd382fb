import { DomainError } from '../../contract/domain-error.ts';
import { ValidationError } from '../../contract/envelope.ts';
import { toValidationIssues } from '../../contract/validation.ts';
import { SettingsSave, type SettingKey, type Settings } from '../../domains/settings/contract.ts';
import { readRows } from '../../domains/settings/repository.ts';
import { requireFreeAmongInbounds } from '../../domains/inbounds/ports/place-check.ts';
import { NO_STEP_UP } from '../../domains/settings/proofs.ts';
import { createSave } from '../../domains/settings/save.ts';
import { DEFAULTS, fromStored, isSecret, SETTING_KEYS } from '../../domains/settings/stored-values.ts';
import { verifyTotp } from '../../domains/session/sign-in/totp.ts';
import { openSecrets } from '../../store/secrets/secret-key.ts';
import type { CommandDeps } from './command-deps.ts';

/** Read once at start, so a change takes effect with the next one. */
const READ_AT_START: readonly SettingKey[] = [
  'webListen',
  'webPort',
  'webBasePath',
  'webDomain',
  'webCertFile',
  'webKeyFile',
];

/** Flags that erase a secret: everywhere else a blank secret means "keep". */
const CLEAR_FLAG: Partial<Record<SettingKey, keyof SettingsSave>> = {
  tgBotToken: 'clearTgBotToken',
  tgBotBackupPassphrase: 'clearTgBotBackupPassphrase',
  smtpPassword: 'clearSmtpPassword',
  ldapPassword: 'clearLdapPassword',
};

export interface SettingsCommandDeps extends CommandDeps {
  /** What is typed, or the whole of stdin, for a value that must not show in the process list. */
  readInput: (key: string) => Promise<string>;
}

/**
 * `settings get [KEY]`, `settings set KEY VALUE [KEY VALUE …]` or `KEY=VALUE`; for a single key without a value, the
 * value is read from stdin.
 * @returns what goes to stdout; null when the command is not one of these.
 */
export async function settingsCommand(
  deps: SettingsCommandDeps,
  verb: string,
  args: readonly string[],
): Promise<string | null> {
  if (verb === 'get' && args.length <= 1) return get(deps, args[0]);
  if (verb !== 'set' || args.length === 0) return null;
  const pairs = await readPairs(args, deps.readInput);
  return pairs === null ? null : set(deps, pairs);
}

async function get(deps: SettingsCommandDeps, key: string | undefined): Promise<string> {
  const { settings } = fromStored(await readRows(deps.store.reader, SETTING_KEYS), await secretsOf(deps));
  if (key !== undefined) return `${shown(settings, known(key))}\n`;
  return `${JSON.stringify(Object.fromEntries(SETTING_KEYS.map((each) => [each, shown(settings, each)])), null, 2)}\n`;
}

/** Of secrets, only whether they are set. */
function shown(settings: Settings, key: SettingKey): string | number | boolean {
  if (isSecret(key)) return settings[key] === '' ? '(not set)' : '(set)';
  return settings[key];
}

async function set(deps: SettingsCommandDeps, pairs: readonly (readonly [string, string])[]): Promise<string> {
  const body: Record<string, unknown> = {};
  for (const [name, text] of pairs) {
    const key = known(name);
    const flag = CLEAR_FLAG[key];
    if (flag !== undefined && text.trim() === '') body[flag] = true;
    else body[key] = typed(key, text);
  }
  const parsed = SettingsSave.safeParse(body, { reportInput: true });
  if (!parsed.success) throw new ValidationError(toValidationIssues(parsed.error));
  const save = createSave({
    store: deps.store,
    secrets: await secretsOf(deps),
    clock: Date.now,
    verifyTotp,
    stepUp: NO_STEP_UP,
    requireFreePort: (listen, port) =>
      requireFreeAmongInbounds(
        deps.store.reader,
        { listen, port, nodeId: null, serverId: null, transports: ['tcp'] },
        0,
      ),
  });
  const changed = await save({ kind: 'local' }, parsed.data);
  deps.say(changed.length === 0 ? 'Nothing changed.' : `Saved: ${changed.join(', ')}`);
  if (changed.some((key) => READ_AT_START.includes(key))) deps.say('This takes effect when the panel starts next.');
  return '';
}

/** A value of the setting's type; text that cannot be one is left for the validation to report. */
function typed(key: SettingKey, text: string): unknown {
  if (typeof DEFAULTS[key] === 'number') return /^-?\d+$/.test(text.trim()) ? Number(text) : text;
  if (typeof DEFAULTS[key] === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  return text;
}

async function readPairs(
  args: readonly string[],
  readInput: (key: string) => Promise<string>,
): Promise<(readonly [string, string])[] | null> {
  const pairs: (readonly [string, string])[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]!;
    const equals = arg.indexOf('=');
    const next = args[at + 1];
    if (equals > 0) pairs.push([arg.slice(0, equals), arg.slice(equals + 1)]);
    else if (next !== undefined) {
      pairs.push([arg, next]);
      at++;
    } else if (args.length === 1) pairs.push([arg, (await readInput(known(arg))).replace(/\r?\n$/, '')]);
    else return null;
  }
  return pairs;
}

function known(name: string): SettingKey {
  const key = SETTING_KEYS.find((each) => each === name);
  if (key === undefined) throw new DomainError('settings.unknownKey', { name });
  return key;
}

function secretsOf({ dataDir, log }: SettingsCommandDeps) {
  return openSecrets({ dataDir, log, clock: Date.now });
}
