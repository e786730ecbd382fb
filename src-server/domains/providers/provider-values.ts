import type { WriteTransaction } from '../../store/open-store.ts';

/** Sealed credentials of the providers, and the time of the tunnel's last key rotation in Unix seconds. */
type ProviderKey = 'tunnel' | 'vpn' | 'tunnelLastUpdate';

export interface ProviderValues {
  hidden(key: ProviderKey): Promise<string>;
  setHidden(key: ProviderKey, value: string, trx?: WriteTransaction): Promise<void>;
}
