/** Where credentials of the providers live, sealed. */
export interface ProviderValues {
  hidden(key: 'tunnel' | 'vpn'): Promise<string>;
  setHidden(key: 'tunnel' | 'vpn', value: string): Promise<void>;
}
