import { spawn } from 'node:child_process';
import { access, constants, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { Logger } from '../../../contract/logger.ts';
import { AcmeFailure } from '../acme/acme-failure.ts';
import { replaceFile } from '../certificate-store.ts';

/** How long one call of a program may take. */
export const HOOK_SECONDS = 120;
/** A stop of the panel has no time for more. */
const STOP_MS = 3_000;
/** What a program leaves behind may hold its output open. */
const LAST_WORDS_MS = 200;
const MAX_OUTPUT = 4_000;
/** What stays to the program of the panel's environment: no secret of it stands there. */
const ENVIRONMENT = ['PATH', 'HOME', 'LANG', 'TZ', 'SystemRoot'];
/** Shorter texts are not cut out of the output: they stand in too many words. */
const SHORTEST_SECRET = 6;

/** A record of the DNS for a challenge. */
const HookRecord = z.object({
  hook: z.string(),
  arguments: z.array(z.string()),
  /** `_acme-challenge.example.com` */
  record: z.string(),
  value: z.string(),
});
export type HookRecord = z.infer<typeof HookRecord>;

/**
 * Programs that add and remove records of the DNS: `PROGRAM ARGUMENTS… add|remove RECORD VALUE`, without a shell. Only those
 * that the owner of this machine has put into a folder of the data folder are run, so that an admin who signs in to the panel can
 * choose among them and run nothing else.
 */
export function createDnsHooks({ dataDir, log }: { dataDir: string; log: Logger }) {
  const folder = join(dataDir, 'dns-hooks');
  const notes = join(dataDir, 'cert', 'dns-records.json');
  /** Records that are there because of us, in the order in which they came. */
  let present: HookRecord[] = [];
  let isRead = false;

  async function isUsable(name: string): Promise<boolean> {
    // A name and no path: nothing outside of the folder can be meant.
    if (!/^[\w][\w.-]*$/.test(name)) return false;
    const file = await stat(join(folder, name)).catch(() => null);
    if (file === null || !file.isFile()) return false;
    if (process.platform === 'win32') return /\.(exe|com)$/i.test(name);
    // Nobody but its owner may write into it.
    if ((file.mode & 0o022) !== 0) return false;
    return access(join(folder, name), constants.X_OK).then(
      () => true,
      () => false,
    );
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

  async function read(): Promise<void> {
    if (isRead) return;
    isRead = true;
    try {
      present = z.array(HookRecord).parse(JSON.parse(await readFile(notes, 'utf8')));
    } catch {
      present = [];
    }
  }

  const note = (): Promise<void> =>
    present.length === 0 ? rm(notes, { force: true }) : replaceFile(notes, JSON.stringify(present));

  /**
   * A record that cannot be removed is logged: the certificate is there all the same. One for which there is no time is left to
   * the next start.
   */
  async function remove(one: HookRecord, signal: AbortSignal): Promise<void> {
    try {
      await run('remove', one, signal);
    } catch (error) {
      log.warn('certificates.recordStays', { hook: one.hook, record: one.record, error });
      if (signal.aborted) return;
    }
    present = present.filter((other) => other !== one);
    await note();
  }

  return {
    folder,
    isUsable,

    /** Names of the programs, in order. */
    async list(): Promise<string[]> {
      const names = await readdir(folder).catch(() => []);
      const usable = await Promise.all(names.map(isUsable));
      return names.filter((_name, at) => usable[at]).sort();
    },

    /**
     * Adds records; those that were added are noted first, so that a killed panel's next start removes them.
     * @returns removes them
     * @throws {AcmeFailure} `certificate.hook*`: what was added before is removed
     */
    async add(records: readonly HookRecord[], signal: AbortSignal): Promise<() => Promise<void>> {
      await read();
      const added: HookRecord[] = [];
      const removeAll = async (): Promise<void> => {
        // Also after a cancel, which may be the stop of the panel: that does not wait for long.
        const limit = signal.aborted ? AbortSignal.timeout(STOP_MS) : new AbortController().signal;
        for (const one of added.splice(0)) await remove(one, limit);
      };
      try {
        for (const one of records) {
          present.push(one);
          added.push(one);
          await note();
          await run('add', one, signal);
        }
      } catch (error) {
        await removeAll();
        throw error;
      }
      return removeAll;
    },

    /** Makes the folder, and removes records that a killed panel left. */
    async begin(signal: AbortSignal): Promise<void> {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await read();
      for (const one of present) await remove(one, signal);
    },
  };
}
export type DnsHooks = ReturnType<typeof createDnsHooks>;

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
