import { randomInt } from 'node:crypto';
import type { Store } from '../../../store/open-store.ts';
import type { PasswordHasher } from '../passwords/password-hash.ts';
import * as rows from '../repository.ts';

const NAME_ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const PASSWORD_ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghjkmnpqrstuvwxyz23456789';

/** Plain-text credentials, shown once and stored nowhere. */
export interface NewCredentials {
  username: string;
  password: string;
}

/** Accounts created by the machine's owner: at the first start, and on the command line. */
export function createFirstAdmin(deps: { store: Store; passwords: PasswordHasher; clock: () => number }) {
  const { store, passwords, clock } = deps;
  return {
    /** Creates an admin with random credentials if there is none. @returns null if there is one. */
    async ensureAdmin(): Promise<NewCredentials | null> {
      if ((await rows.findFirstAdmin(store.reader)) !== undefined) return null;
      const made = { username: pick(NAME_ALPHABET, 10), password: pick(PASSWORD_ALPHABET, 24) };
      const passwordHash = await passwords.hash(made.password);
      return store.write(async (trx) => {
        if ((await rows.findFirstAdmin(trx)) !== undefined) return null;
        await rows.insertAdmin(trx, { username: made.username, passwordHash }, clock());
        return made;
      });
    },
    /**
     * Gives the admin a new random password and ends all sessions; the user name stays. Works next to a running panel.
     */
    async resetAdmin(options: { disableTwoFactor: boolean }): Promise<NewCredentials> {
      const password = pick(PASSWORD_ALPHABET, 24);
      const passwordHash = await passwords.hash(password);
      return store.write(async (trx) => {
        if (options.disableTwoFactor) await rows.switchTwoFactorOff(trx);
        const admin = await rows.findFirstAdmin(trx);
        const username = admin?.username ?? pick(NAME_ALPHABET, 10);
        if (admin === undefined) await rows.insertAdmin(trx, { username, passwordHash }, clock());
        else await rows.replaceCredentials(trx, admin.id, { username, passwordHash }, clock());
        return { username, password };
      });
    },
  };
}

/** Without look-alike characters: people read these from a terminal and type them. */
function pick(alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}
