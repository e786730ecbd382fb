import { DomainError } from '../../contract/domain-error.ts';
import { createTokenService } from '../../domains/tokens/service.ts';
import type { Store } from '../../store/open-store.ts';

/** The machine's owner needs no further proof: he could read the database. */
const BY_COMMAND = { caller: { kind: 'local' }, signedInAtMs: null, address: '', proof: {} };

/**
 * `token create NAME`, `token list`, `token enable|disable|delete ID|NAME`.
 * @returns what goes to stdout; null when the command is not one of these.
 */
export async function tokenCommand(store: Store, verb: string, args: readonly string[]): Promise<string | null> {
  const tokens = createTokenService({ store, clock: Date.now, publish: () => {}, prove: async () => {} });
  const [subject, ...rest] = args;
  if (verb === 'list' && subject === undefined)
    return (await tokens.list()).map((token) => `${JSON.stringify(token)}\n`).join('');
  if (subject === undefined || rest.length > 0) return null;
  if (verb === 'create') return `${(await tokens.create(BY_COMMAND, subject)).token}\n`;
  if (verb !== 'enable' && verb !== 'disable' && verb !== 'delete') return null;

  const all = await tokens.list();
  const found = all.find(({ id }) => String(id) === subject) ?? all.find(({ name }) => name === subject);
  if (found === undefined) throw new DomainError('token.unknown');
  if (verb === 'delete') await tokens.delete(BY_COMMAND, String(found.id));
  else await tokens.setEnabled(BY_COMMAND, String(found.id), verb === 'enable');
  return '';
}
