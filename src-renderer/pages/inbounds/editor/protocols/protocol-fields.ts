import type { ComponentType } from 'react';
import type { Protocol } from '#wire/protocol-catalogue';
import { HttpFields } from './http.tsx';
import { MixedFields } from './mixed.tsx';
import { NoFields } from './no-fields.tsx';
import { ShadowsocksFields } from './shadowsocks.tsx';
import { TunnelFields } from './tunnel.tsx';
import { VlessFields } from './vless.tsx';
import { WireguardFields } from './wireguard.tsx';

/** The form of each protocol's settings. */
export const PROTOCOL_FIELDS: Readonly<Record<Protocol, ComponentType>> = {
  vless: VlessFields,
  vmess: NoFields,
  trojan: NoFields,
  shadowsocks: ShadowsocksFields,
  hysteria: NoFields,
  hysteria2: NoFields,
  wireguard: WireguardFields,
  http: HttpFields,
  mixed: MixedFields,
  tunnel: TunnelFields,
};
