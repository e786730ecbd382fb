import { randomUUID } from 'node:crypto';
import { AndFilter, EqualityFilter, type SearchOptions } from 'ldapts';
import { DomainError } from '../../contract/domain-error.ts';
import type { Logger } from '../../contract/logger.ts';
import type { GuardedDialer } from '../../net/guarded-dialer.ts';
import type { Settings } from '../settings/contract.ts';
import { withDirectory } from './directory-session.ts';
import { attributesOf, baseOf, userFilter } from './read-directory.ts';

interface SignInDeps {
  dialer: Pick<GuardedDialer, 'connect'>;
  settings: () => Settings;
  log: Logger;
}

/** Time limit of the whole session: a person waits for the answer. */
const TIMEOUT_MS = 5_000;
/** Sessions at the same time: strangers can start them. */
const MAX_AT_ONCE = 8;

/**
 * Whether exactly one entry has this name, and its password is this one.
 * @throws {DomainError} `session.overloaded`
 */
export function createDirectorySignIn({ dialer, settings, log }: SignInDeps) {
  let atOnce = 0;

  async function isRight(username: string, password: string): Promise<boolean> {
    const current = settings();
    const way = { dialer, stepMs: TIMEOUT_MS, timeoutMs: TIMEOUT_MS };
    const filter = new AndFilter({
      filters: [
        userFilter(current),
        new EqualityFilter({ attribute: attributesOf(current).nameAttribute, value: username }),
      ],
    });
    const dns = await withDirectory(current, way, async (client) => {
      // A second match makes the name ambiguous, so two are requested.
      const options: SearchOptions = { scope: 'sub', filter, attributes: ['1.1'], sizeLimit: 2 };
      return (await client.search(baseOf(current), options)).searchEntries.map(({ dn }) => dn);
    });
    const bind = (ldapBindDN: string) =>
      withDirectory({ ...current, ldapBindDN, ldapPassword: password }, way, () => Promise.resolve());
    const [dn = ''] = dns;
    // Binding without a name or without a password succeeds anonymously.
    if (dns.length === 1 && dn.includes('=') && password !== '') {
      await bind(dn);
      return true;
    }
    // The same steps with a name that nobody has: how long a refusal takes would tell which names exist.
    await bind(`cn=${randomUUID()},${baseOf(current)}`).catch(() => undefined);
    return false;
  }

  return async (username: string, password: string): Promise<boolean> => {
    const { ldapEnable, ldapSignIn } = settings();
    if (!ldapEnable || !ldapSignIn || username === '' || password === '') return false;
    if (atOnce >= MAX_AT_ONCE) throw new DomainError('session.overloaded');
    atOnce += 1;
    try {
      return await isRight(username, password);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      if (error.code !== 'directory.credentials') log.warn('directory.signIn', { code: error.code, ...error.params });
      return false;
    } finally {
      atOnce -= 1;
    }
  };
}
