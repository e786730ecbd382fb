import { besideActive } from '../../store/beside-active.ts';
import type { Store } from '../../store/open-store.ts';
import { addresseeOf, setMailStop, type Addressee } from './repository.ts';
import { clientOfStopToken } from './stop-token.ts';

/** Lets clients opt out of e-mails, at an address that only this panel can make. */
export interface MailStops {
  /** Whether the client of a token has opted out; null = there is no such client. */
  stopOf(token: string): Promise<boolean | null>;
  /** @returns false when no client has this token */
  stop(token: string, isStopped: boolean): Promise<boolean>;
}

/** @param deps.secret signs the opt-out addresses; with an empty one no address is valid */
export function createMailStops(deps: {
  store: Pick<Store, 'reader' | 'write'>;
  secret: () => Promise<string>;
  clock: () => number;
}): MailStops {
  const { store, secret, clock } = deps;

  async function byToken(token: string): Promise<Addressee | null> {
    const key = await secret();
    const clientId = key === '' ? null : clientOfStopToken(key, token);
    return clientId === null ? null : addresseeOf(store.reader, clientId);
  }

  return {
    async stopOf(token) {
      const client = await byToken(token);
      return client === null ? null : client.isStopped === 1;
    },
    async stop(token, isStopped) {
      const client = await byToken(token);
      if (client === null) return false;
      // Also on a standby panel.
      await besideActive(() => store.write((trx) => setMailStop(trx, client.clientId, isStopped ? clock() : null)));
      return true;
    },
  };
}
