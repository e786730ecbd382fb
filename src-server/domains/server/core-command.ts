import { DomainError } from '../../contract/domain-error.ts';
import type { LocalCore } from '../../core/create-core.ts';

/**
 * Runs helper commands of the core for the key generators.
 * @throws {DomainError} `core.notInstalled` without a usable executable; `core.commandFailed` when it ends with an error.
 */
export function coreCommand(core: Pick<LocalCore, 'locate' | 'runCoreCommand'>): (args: string[]) => Promise<string> {
  return async (args) => {
    const found = await core.locate();
    if (!found.ok) throw new DomainError('core.notInstalled', { text: found.text });
    const { exitCode, stdout, stderr, timedOut } = await core.runCoreCommand(args);
    if (exitCode === 0) return stdout;
    const text = timedOut ? 'it did not answer in time' : (stderr || stdout).trim().split('\n').at(-1)!;
    throw new DomainError('core.commandFailed', { command: args.join(' '), text });
  };
}
