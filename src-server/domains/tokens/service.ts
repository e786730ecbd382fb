import { createHash, randomInt } from 'node:crypto';
import type { Basics } from '../basics.ts';
import { DomainError } from '../../contract/domain-error.ts';
import type { DelicateChange } from '../session/credentials.ts';
import type { ApiTokenView, CreatedApiToken } from './contract.ts';
import { presentToken } from './present.ts';
import * as rows from './repository.ts';

const TOKEN_LENGTH = 48;
const TOKEN_ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const MAX_NAME_LENGTH = 64;

export interface TokenServiceDeps extends Pick<Basics, 'store' | 'clock' | 'publish'> {
  /** Asks an older session for its password or code again; a token outlives the session that creates it. */
  prove: (change: DelicateChange) => Promise<void>;
}

/** API tokens: full credentials for other programs, stored as hashes only. */
export function createTokenService({ store, clock, publish, prove }: TokenServiceDeps) {
  const changed = () => publish({ type: 'invalidate', resource: 'settings' });

  return {
    async list(): Promise<ApiTokenView[]> {
      return (await rows.listTokens(store.reader)).map(presentToken);
    },
    /** @throws {DomainError} `token.nameRequired`, `token.nameTooLong`, `token.nameTaken`, and what the step-up throws. */
    async create(change: DelicateChange, typedName: string): Promise<CreatedApiToken> {
      const name = typedName.trim();
      if (name === '') throw new DomainError('token.nameRequired');
      if (isLongerThan(name, MAX_NAME_LENGTH)) throw new DomainError('token.nameTooLong', { max: MAX_NAME_LENGTH });
      await prove(change);
      const token = Array.from({ length: TOKEN_LENGTH }, () => TOKEN_ALPHABET[randomInt(TOKEN_ALPHABET.length)]).join(
        '',
      );
      const row = await store.write(async (trx) => {
        if (await rows.hasTokenNamed(trx, name)) throw new DomainError('token.nameTaken');
        return rows.insertToken(trx, { name, tokenHash: hashOf(token), createdAtMs: clock() });
      });
      changed();
      return { ...presentToken(row), token };
    },
    /** Deleting twice is allowed. @throws {DomainError} `token.invalidId`, and what the step-up throws. */
    async delete(change: DelicateChange, idText: string): Promise<void> {
      const id = readId(idText);
      await prove(change);
      await store.write((trx) => rows.deleteToken(trx, id));
      changed();
    },
    /** @throws {DomainError} `token.invalidId`, `token.unknown`, and what the step-up throws. */
    async setEnabled(change: DelicateChange, idText: string, enabled: boolean): Promise<void> {
      const id = readId(idText);
      await prove(change);
      const isKnown = await store.write((trx) => rows.setTokenEnabled(trx, id, enabled ? 1 : 0));
      if (!isKnown) throw new DomainError('token.unknown');
      changed();
    },
    /**
     * Token by its value; null when it is unknown or disabled. Looked up by its hash: how much of a guess's hash
     * matches a stored one reveals nothing about the token.
     */
    async authenticateBearer(value: string): Promise<{ tokenId: number; name: string } | null> {
      const row = await rows.findEnabledByHash(store.reader, hashOf(value));
      return row === undefined ? null : { tokenId: row.id, name: row.name };
    },
    /** Whether any token is enabled, for the settings page. */
    hasEnabled: (): Promise<boolean> => rows.hasEnabledToken(store.reader),
  };
}
export type TokenService = ReturnType<typeof createTokenService>;

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

function readId(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new DomainError('token.invalidId');
  return Number(text);
}

/** Counted in visible characters, not in UTF-16 units. */
function isLongerThan(text: string, max: number): boolean {
  return text.length > 2 * max || Array.from(text).length > max;
}
