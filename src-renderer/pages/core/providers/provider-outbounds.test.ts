import { expect, it } from 'vitest';
import {
  plainBase64,
  tunnelOutbound,
  usableServers,
  vpnOutbound,
  VpnServers,
  withOutbound,
  withoutVpn,
} from './provider-outbounds.ts';

it('builds the outbound of a device, with the bytes of its client id', () => {
  const data = { access_token: 't', device_id: 'd', license_key: 'l', private_key: 'pk', client_id: 'DCI4' };
  const config = {
    interface: { addresses: { v4: '172.16.0.2', v6: '2606::2' } },
    peers: [{ public_key: 'pub', endpoint: { host: 'engage.example:2408' } }],
  };
  expect(tunnelOutbound(data, { config })).toEqual({
    tag: 'warp',
    protocol: 'wireguard',
    settings: {
      mtu: 1420,
      secretKey: 'pk',
      address: ['172.16.0.2/32', '2606::2/128'],
      reserved: [12, 34, 56],
      domainStrategy: 'ForceIPv4v6',
      noKernelTun: true,
      peers: [{ publicKey: 'pub', endpoint: 'engage.example:2408' }],
    },
  });
});

it('lists servers that speak the protocol, the least busy first, with their city', () => {
  const technologies = [{ id: 35, metadata: [{ name: 'public_key', value: 'k' }] }];
  const server = (hostname: string, load: number, more = {}) => ({
    name: hostname,
    hostname,
    station: '192.0.2.1',
    load,
    location_ids: [7],
    technologies,
    ...more,
  });
  const servers = VpnServers.parse({
    servers: [server('b', 40), server('a', 9), server('c', 8, { technologies: [{ id: 5 }] })],
    locations: [{ id: 7, country: { city: { id: 1, name: 'Oslo' } } }],
  });
  expect(usableServers(servers).map(({ hostname, city }) => [hostname, city])).toEqual([
    ['a', 'Oslo'],
    ['b', 'Oslo'],
  ]);
  expect(vpnOutbound('pk', { hostname: 'a', station: '192.0.2.1', city: '', load: 9, publicKey: 'k' })).toMatchObject({
    tag: 'nord-a',
    settings: { peers: [{ publicKey: 'k', endpoint: '192.0.2.1:51820' }] },
  });
});

it('renews an outbound without touching the operator’s additions, and removes all of them with their rules', () => {
  const old = { tag: 'nord-a', protocol: 'wireguard', settings: { mtu: 1280, secretKey: 'old' }, mux: {} };
  const template = {
    outbounds: [old, { tag: 'x' }],
    routing: { rules: [{ outboundTag: 'nord-a' }, { outboundTag: 'x' }] },
  };
  const next = withOutbound(template, { tag: 'nord-a', protocol: 'wireguard', settings: { secretKey: 'new' } });
  expect(next['outbounds']).toEqual([{ ...old, settings: { mtu: 1280, secretKey: 'new' } }, { tag: 'x' }]);
  expect(withoutVpn(next)).toEqual({ outbounds: [{ tag: 'x' }], routing: { rules: [{ outboundTag: 'x' }] } });
});

it('writes keys in the provider’s format', () => {
  expect(plainBase64(`${'a'.repeat(41)}-_`)).toBe(`${'a'.repeat(41)}+/=`);
});
