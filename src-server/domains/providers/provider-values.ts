import type { WriteTransaction } from '../../store/open-store.ts';

/** Credentials of the providers, sealed, and unix seconds of the tunnel's last change of keys. */
type ProviderKey = 'tunnel' | 'vpn' | 'tunnelLastUpdate';

export interface ProviderValues {
  hidden(key: ProviderKey): Promise<string>;
  setHidden(key: ProviderKey, value: string, trx?: WriteTransaction): Promise<void>;
}
