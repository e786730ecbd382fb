import { besideActive } from '../../store/beside-active.ts';
import type { Store } from '../../store/open-store.ts';
import { addresseeOf, setMailStop, type Addressee } from './repository.ts';
import { clientOfStopToken } from './stop-token.ts';

/** How clients stop e-mails by themselves, at an address that only this panel can make. */
export interface MailStops {
  /** Whether the client of a token has stopped e-mails; null = there is none. */
  stopOf(token: string): Promise<boolean | null>;
  /** @returns false when no client has this token */
  stop(token: string, isStopped: boolean): Promise<boolean>;
}

/** @param deps.secret marks the addresses at which clients stop e-mails; with an empty one none is recognised */
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
      // Also where a panel stands by.
      await besideActive(() => store.write((trx) => setMailStop(trx, client.clientId, isStopped ? clock() : null)));
      return true;
    },
  };
}
