import { hostname } from 'node:os';
import type { GuardedDialer } from '../../net/guarded-dialer.ts';
import { createProviderCall, type ProviderAddress } from './provider-call.ts';
import type { ProviderValues } from './provider-values.ts';
import { createTunnel } from './tunnel.ts';
import { createVpn } from './vpn.ts';

export interface ProvidersDeps {
  dialer: Pick<GuardedDialer, 'fetch'>;
  values: ProviderValues;
  clock: () => number;
  /** Addresses of other providers with the same interface; empty = the usual ones. */
  addresses: { tunnel: string; vpn: string };
}

const TUNNEL = 'https://api.cloudflareclient.com/v0a4005';
const VPN = 'https://api.nordvpn.com';

export type ProvidersService = ReturnType<typeof createProvidersService>;

export function createProvidersService({ dialer, values, clock, addresses }: ProvidersDeps) {
  return {
    tunnel: createTunnel({
      call: createProviderCall(dialer, 'tunnel', placeOf(addresses.tunnel, TUNNEL)),
      values,
      clock,
      hostname: hostname(),
    }),
    vpn: createVpn({ call: createProviderCall(dialer, 'vpn', placeOf(addresses.vpn, VPN)), values }),
  };
}

function placeOf(named: string, usual: string): ProviderAddress {
  return named === '' ? { base: usual, isInternalAllowed: false } : { base: named, isInternalAllowed: true };
}
