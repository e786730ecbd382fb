import { spawn } from 'node:child_process';
import { access, constants, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { Logger } from '../../../contract/logger.ts';
import { AcmeFailure } from '../acme/acme-failure.ts';

/** Longest run of one program. */
export const HOOK_SECONDS = 120;
/** Children left behind by a program may hold its output open. */
const LAST_WORDS_MS = 200;
const MAX_OUTPUT = 4_000;
/** Environment variables passed on to the program; none holds a secret of the panel. */
const ENVIRONMENT = ['PATH', 'HOME', 'LANG', 'TZ', 'SystemRoot'];
/** Shorter values are not redacted from the output: they occur in too many words. */
const SHORTEST_SECRET = 6;

/** A DNS record for a challenge. */
export const HookRecord = z.object({
  hook: z.string(),
  arguments: z.array(z.string()),
  /** `_acme-challenge.example.com` */
  record: z.string(),
  value: z.string(),
});
export type HookRecord = z.infer<typeof HookRecord>;

/**
 * Programs that add and remove DNS records: `PROGRAM ARGUMENTS… add|remove RECORD VALUE`, without a shell. Only
 * programs that the machine's owner has put into a folder of the data folder are run, so that an admin of the panel can
 * choose among them and run nothing else.
 */
export function createHookPrograms({ folder, log }: { folder: string; log: Logger }) {
  async function isUsable(name: string): Promise<boolean> {
    // A plain name, not a path: nothing outside the folder can be reached.
    if (!/^[\w][\w.-]*$/.test(name)) return false;
    const file = await stat(join(folder, name)).catch(() => null);
    if (file === null || !file.isFile()) return false;
    if (process.platform === 'win32') return /\.(exe|com)$/i.test(name);
    // Nobody but the owner may write to it.
    if ((file.mode & 0o022) !== 0) return false;
    return access(join(folder, name), constants.X_OK).then(
      () => true,
      () => false,
    );
  }

  /** Names of the programs, sorted. */
  async function list(): Promise<string[]> {
    const names = await readdir(folder).catch(() => []);
    const usable = await Promise.all(names.map(isUsable));
    return names.filter((_name, at) => usable[at]).sort();
  }

  async function run(verb: 'add' | 'remove', one: HookRecord, signal: AbortSignal): Promise<void> {
    const { hook, record, value } = one;
    if (!(await isUsable(hook))) throw new AcmeFailure('certificate.hookMissing', { hook });
    const late = AbortSignal.timeout(HOOK_SECONDS * 1000);
    const ended = await runProgram(join(folder, hook), [...one.arguments, verb, record, value], {
      cwd: folder,
      signal: AbortSignal.any([signal, late]),
    });
    const output = withoutSecrets(ended.output, [value, ...one.arguments]);
    log.info('certificates.hook', { hook, verb, record, exitCode: ended.code ?? -1, output });
    signal.throwIfAborted();
    if (late.aborted) throw new AcmeFailure('certificate.hookSlow', { hook, seconds: HOOK_SECONDS });
    if (ended.code !== 0) throw new AcmeFailure('certificate.hookFailed', { hook, code: ended.code ?? -1 });
  }

  return {
    isUsable,
    list,
    /** @throws {AcmeFailure} `certificate.hook*` */
    run,
  };
}

function runProgram(
  path: string,
  args: readonly string[],
  { cwd, signal }: { cwd: string; signal: AbortSignal },
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    let output = '';
    const take = (chunk: Buffer): void => {
      output = (output + chunk.toString('utf8')).slice(-MAX_OUTPUT);
    };
    const child = spawn(path, args, {
      cwd,
      env: Object.fromEntries(ENVIRONMENT.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
      stdio: ['ignore', 'pipe', 'pipe'],
      signal,
      killSignal: 'SIGKILL',
      windowsHide: true,
    });
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.once('error', (error) => resolve({ code: null, output: `${output}${error.message}` }));
    child.once('close', (code) => resolve({ code, output }));
    child.once('exit', (code) => setTimeout(() => resolve({ code, output }), LAST_WORDS_MS).unref());
  });
}

function withoutSecrets(output: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .reduce((text, secret) => text.replaceAll(secret, '[removed]'), output)
    .trim();
}
