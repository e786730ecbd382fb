import { hostname } from 'node:os';
import type { GuardedDialer } from '../../net/guarded-dialer.ts';
import { createProviderCall, type ProviderAddress, type RefusalText } from './provider-call.ts';
import { createTunnel } from './tunnel.ts';
import { createTunnelRotation, type RotationDeps } from './tunnel-rotation.ts';
import { createVpn } from './vpn.ts';

export interface ProvidersDeps extends Omit<RotationDeps, 'tunnel'> {
  dialer: Pick<GuardedDialer, 'fetch'>;
  /** Base URLs of other providers with the same API; empty = the usual ones. */
  addresses: { tunnel: string; vpn: string };
}

const TUNNEL = 'https://api.cloudflareclient.com/v0a4005';
const VPN = 'https://api.nordvpn.com';

const tunnelRefusal: RefusalText = ({ method, path }, status, body) =>
  `tunnel api ${method} ${path.split('?')[0]} returned status ${status}: ${body}`;
const vpnRefusal: RefusalText = (_request, status) => `vpn API error: ${status}`;

export type ProvidersService = ReturnType<typeof createProvidersService>;

export function createProvidersService({ dialer, addresses, ...deps }: ProvidersDeps) {
  const { values, clock } = deps;
  const tunnel = createTunnel({
    call: createProviderCall(dialer, placeOf(addresses.tunnel, TUNNEL), tunnelRefusal),
    values,
    clock,
    hostname: hostname(),
  });
  return {
    tunnel,
    rotation: createTunnelRotation({ ...deps, tunnel }),
    vpn: createVpn({ call: createProviderCall(dialer, placeOf(addresses.vpn, VPN), vpnRefusal), values }),
  };
}

function placeOf(named: string, usual: string): ProviderAddress {
  return named === '' ? { base: usual, isInternalAllowed: false } : { base: named, isInternalAllowed: true };
}
