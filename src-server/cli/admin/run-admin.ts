import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { actingAs } from '../../acting.ts';
import type { Act } from '../../contract/act.ts';
import { DomainError } from '../../contract/domain-error.ts';
import { createFirstAdmin } from '../../domains/session/first-start/first-admin.ts';
import { createPasswordHasher } from '../../domains/session/passwords/password-hash.ts';
import { writeRow } from '../../domains/settings/repository.ts';
import { createLogger } from '../../logging/create-logger.ts';
import type { Store } from '../../store/open-store.ts';
import { isAccessKept, isImportWaiting } from '../../store/waiting-import.ts';
import { backupCommand } from './admin-backup.ts';
import { certificateCommand, type IssueOptions } from './admin-certificate.ts';
import { cancelRestore, importCommand, restoreCommand } from './admin-restore.ts';
import { settingsCommand } from './admin-settings.ts';
import { migrateCommand } from './admin-migrate.ts';
import { enrolCommand, masterCommand } from './admin-enroll.ts';
import { readLine } from './read-line.ts';
import { tokenCommand } from './admin-token.ts';
import { databaseOf } from '../database-note.ts';
import { ADMIN_COMMAND } from '../resources.ts';
import { defaultDataDir } from '../data-dir.ts';
import { runDoctor } from '../doctor/doctor.ts';
import { USAGE_EXIT_CODE } from '../launch/exit-codes.ts';
import { becomeOwner, userName } from '../owner.ts';
import { hasDatabaseFile, isPanelRunning, withFolder, withoutStore } from '../open-folder.ts';
import { errorText } from '../say-error.ts';

const USAGE = `Usage: ${ADMIN_COMMAND} [--data-dir DIR] COMMAND

  token create NAME                  make an API token and print it; it is shown only now
  token list                         one line of JSON per token
  token enable|disable|delete TOKEN  by id or name
  enroll TICKET                      make this panel a node of the one that made the ticket
  master list                        one line of JSON per panel that this one has enrolled with
  master remove MASTER               by id or name; that panel reaches this one no more
  master move MASTER URL             where it is now, when it has moved and could not say so
  certificate list                   one line of JSON per certificate
  certificate self-signed NAME HOST …
                                     makes one that clients pin; prints its pin and file
  certificate issue NAME HOST … --agree-terms [--email E] [--challenge http-01|tls-alpn-01|dns-01]
                    [--dns-hook PROGRAM] [--directory AUTHORITY|URL [--allow-private]]
                                     obtains one from an authority, Let's Encrypt if none is named
  certificate renew CERTIFICATE      now; by id or name, like delete
  certificate delete CERTIFICATE     with its key; refused while something uses it
  guid renew                         another identity for a copied panel, from its next start on; prints it
  user reset [--disable-2fa]         new random password; prints user name and password as JSON
  settings get [KEY]                 secrets are never printed
  settings set KEY VALUE …           checked as in the panel; also KEY=VALUE, and a single KEY reads its value from stdin
  migrate --to postgres://…          everything into an empty database on a server, compared row by row; the panel must not run
  migrate --to file                  and back, from the database that DATABASE_URL names, into the data folder
  backup FILE [--with-keys]          consistent copy of the database, with every secret in it; prints its path
  backup --native FILE               the same of a database on a server, taken with pg_dump
  restore FILE [--dry-run] [--with-keys]
                                     a database, its backup or dump, or another panel's database; prints what comes
                                     --with-keys: keys of certificates too; their passphrase is the first line of stdin
  restore --cancel                   withdraws what a restore or an import has left for the next start of a stopped panel
  import --from postgres://… [--dry-run] [--allow-private]
                                     another panel's database on a server, which is only read; IMPORT_PASSWORD_FILE holds
                                     the password; --allow-private: it is on this machine or its network
  doctor [--core FILE]               what needs doing, line by line; exit code 1 when something does

Commands work while the panel runs, and while it does not.
`;

/** Options of each command beside `--data-dir`: one that does nothing there may have been meant as a safeguard. */
const OPTIONS = new Map<string, readonly string[]>([
  ['certificate issue', ['email', 'agree-terms', 'allow-private', 'challenge', 'dns-hook', 'directory']],
  ['user reset', ['disable-2fa']],
  ['migrate', ['to']],
  ['backup', ['with-keys', 'native']],
  ['restore', ['dry-run', 'with-keys', 'cancel']],
  ['import', ['from', 'dry-run', 'allow-private']],
  ['doctor', ['core']],
]);

interface Arguments {
  /** Names of the options that were given, except `--data-dir`. */
  given: string[];
  dataDir: string;
  core: string | undefined;
  disableTwoFactor: boolean;
  isCancel: boolean;
  isDryRun: boolean;
  isNative: boolean;
  /** Address of the database to import. */
  from: string | undefined;
  /** Target of a migration. */
  to: string | undefined;
  withKeys: boolean;
  issue: IssueOptions;
  words: string[];
}

/** The process's own, or a test's replacement. */
type Streams = Pick<NodeJS.Process, 'stdin' | 'stdout' | 'stderr'>;

/**
 * `npm run admin`: what an operator does without the panel. Results go to stdout, everything else to stderr.
 * @returns the exit code
 */
export async function runAdmin(argv: readonly string[], streams: Streams): Promise<number> {
  const { stdout, stderr } = streams;
  const usage = (complaint: string): number => {
    stderr.write(complaint === '' ? USAGE : `${complaint}\n\n${USAGE}`);
    return complaint === '' ? 0 : USAGE_EXIT_CODE;
  };
  const args = readArguments(argv);
  if (typeof args === 'string') return usage(args);
  const [noun, verb = '', ...rest] = args.words;
  const known = OPTIONS.get(`${noun} ${verb}`) ?? OPTIONS.get(noun ?? '') ?? [];
  const strange = args.given.find((name) => !known.includes(name));
  if (noun !== undefined && strange !== undefined) return usage(`${noun} takes no --${strange}.`);
  const log = createLogger({ level: 'warn', clock: Date.now, dataDir: null, stream: stderr });
  if (becomeOwner(args.dataDir)) stderr.write(`Acting as ${userName()}, whose panel this is.\n`);
  try {
    if (noun === 'doctor' && verb === '') return await runDoctor({ ...args, say: (line) => stdout.write(`${line}\n`) });
    if (noun === 'migrate' && verb === '') {
      if (args.to === undefined) return usage('migrate needs --to.');
      stdout.write(await migrateCommand(args.dataDir, args.to, log));
      return 0;
    }
    const command = commandFor(args, noun, verb, rest, log, streams);
    if (command === null) return usage(complaintAbout(noun));
    // Words after the verb may be secrets.
    const act: Act = {
      actor: 'command',
      name: userName(),
      address: '',
      verb: `${noun} ${verb}`,
      requestId: '',
    };
    const isNew = (await databaseOf(args.dataDir, null)) === null && !hasDatabaseFile(args.dataDir);
    if (isNew && noun === 'backup') throw new DomainError('store.nothingToMigrate', { where: args.dataDir });
    if (isNew) stderr.write(`There was no panel in ${args.dataDir} yet.\n`);
    if (await isLostAtStart(noun ?? '', args.dataDir)) stderr.write(REPLACED);
    const result = await actingAs(act, command);
    if (result === null) return usage(complaintAbout(noun));
    stdout.write(result);
    return 0;
  } catch (error) {
    const words = errorText(error);
    if (words === null) throw error;
    stderr.write(`${words}\n`);
    return 1;
  }
}

/** Commands whose changes are gone when the database is replaced. */
const LOST_WITH_IT = /^(token|enroll|master|certificate|guid|user|settings)$/;
/** Those of them whose changes stay in an import from another panel. */
const KEPT_IN_IMPORT = /^(token|user)$/;

async function isLostAtStart(noun: string, dataDir: string): Promise<boolean> {
  if (!LOST_WITH_IT.test(noun) || !isImportWaiting(dataDir)) return false;
  return !(KEPT_IN_IMPORT.test(noun) && (await isAccessKept(dataDir)));
}

const REPLACED = `Another database replaces this one when the panel starts: what is changed here now is lost then.
Start the panel first, or withdraw the other database: restore --cancel
`;

/** Every command begins with one of these. */
const NOUNS = /^(token|enroll|master|certificate|guid|user|settings|migrate|backup|restore|import|doctor)$/;

function complaintAbout(noun: string | undefined): string {
  if (noun === undefined) return 'A command is missing.';
  return NOUNS.test(noun) ? `This is not what follows ${noun}.` : 'There is no such command.';
}

type Command = () => Promise<string | null>;

function commandFor(
  { dataDir, disableTwoFactor, isCancel, isDryRun, isNative, from, withKeys, issue }: Arguments,
  noun: string | undefined,
  verb: string,
  rest: readonly string[],
  log: ReturnType<typeof createLogger>,
  { stdin, stderr }: Streams,
): Command | null {
  const say = (line: string) => stderr.write(`${line}\n`);
  const prompt = (what: string) => readLine(stdin, stderr, what);
  const readInput = (key: string) => (stdin.isTTY ? prompt(key) : text(stdin));
  const readPassphrase = withKeys ? () => prompt('Passphrase') : null;
  const inStore =
    (use: (store: Store) => Promise<string | null>): Command =>
    () =>
      withFolder(dataDir, log, use);
  const deps = { dataDir, log, isPanelRunning: () => isPanelRunning(dataDir), say, readPassphrase };
  if (noun === 'backup' && verb !== '' && rest.length === 0)
    return inStore((store) => backupCommand({ store, dataDir, log, say, readPassphrase, isNative }, verb));
  if (noun === 'restore' && isCancel) return verb === '' && !isDryRun && !withKeys ? () => cancelRestore(deps) : null;
  if (noun === 'restore' && verb !== '' && rest.length === 0) {
    const restore = () => restoreCommand(deps, verb, { isDryRun });
    return isDryRun ? restore : () => withoutStore(dataDir, log, restore);
  }
  if (noun === 'import' && verb === '' && from !== undefined) {
    const bring = () => importCommand(deps, from, { isDryRun, allowsPrivate: issue.allowsPrivate });
    return isDryRun ? bring : inStore(bring);
  }
  if (noun === 'enroll' && verb !== '' && rest.length === 0)
    return inStore((store) =>
      enrolCommand({ store, dataDir, log, say, isPanelRunning: isPanelRunning(dataDir) }, verb),
    );
  if (noun === 'certificate')
    return inStore((store) =>
      certificateCommand(
        { store, dataDir, log, say, isPanelRunning: () => isPanelRunning(dataDir), issue },
        verb,
        rest,
      ),
    );
  if (noun === 'master') return inStore((store) => masterCommand(store, verb, rest));
  if (noun === 'token') return inStore((store) => tokenCommand(store, verb, rest));
  if (noun === 'settings')
    return inStore((store) => settingsCommand({ store, dataDir, log, say, readInput }, verb, rest));
  if (noun === 'guid' && verb === 'renew' && rest.length === 0)
    return inStore(async (store) => {
      const guid = randomUUID();
      await store.write((trx) => writeRow(trx, 'panelGuid', guid));
      return `${guid}\n`;
    });
  if (noun !== 'user' || verb !== 'reset' || rest.length > 0) return null;
  return inStore(async (store) => {
    const admins = createFirstAdmin({ store, passwords: createPasswordHasher(), clock: Date.now });
    return `${JSON.stringify(await admins.resetAdmin({ disableTwoFactor }))}\n`;
  });
}

/** @returns a message when the command line cannot be parsed. */
function readArguments(argv: readonly string[]): Arguments | string {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        'data-dir': { type: 'string' },
        core: { type: 'string' },
        'disable-2fa': { type: 'boolean' },
        cancel: { type: 'boolean' },
        'dry-run': { type: 'boolean' },
        native: { type: 'boolean' },
        from: { type: 'string' },
        to: { type: 'string' },
        'with-keys': { type: 'boolean' },
        email: { type: 'string' },
        'agree-terms': { type: 'boolean' },
        'allow-private': { type: 'boolean' },
        challenge: { type: 'string' },
        'dns-hook': { type: 'string' },
        directory: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    if (values.help === true) return '';
    const named = values['data-dir'];
    return {
      given: Object.keys(values).filter((name) => name !== 'data-dir'),
      dataDir: named === undefined || named === '' ? defaultDataDir() : resolve(named),
      core: values.core,
      disableTwoFactor: values['disable-2fa'] === true,
      isCancel: values.cancel === true,
      isDryRun: values['dry-run'] === true,
      isNative: values.native === true,
      from: values.from,
      to: values.to,
      withKeys: values['with-keys'] === true,
      issue: {
        email: values.email ?? '',
        hasAgreed: values['agree-terms'] === true,
        allowsPrivate: values['allow-private'] === true,
        challenge: values.challenge,
        directory: values.directory,
        dnsHook: values['dns-hook'] ?? '',
      },
      words: positionals,
    };
  } catch (error) {
    // parseArgs names the unknown options.
    return error instanceof Error ? error.message : String(error);
  }
}
