import type { Api } from '../../harness/api.ts';
import { freePort } from '../../../src-server/testing/free-port.ts';

type Json = Record<string, unknown>;

interface Template extends Json {
  outbounds: Json[];
  routing: { rules: Json[] } & Json;
}

const vless = (tag: string, address: string, id: string): Json => ({
  tag,
  protocol: 'vless',
  settings: { address, port: 443, id, encryption: 'none' },
  streamSettings: { network: 'tcp', security: 'tls', tlsSettings: { serverName: 'relay.example.net' } },
});

/**
 * A template as it grows over time: relays, rules, a balancer with its observer, and its own DNS. Connections to this
 * machine go out directly, so that clients of the sample can fetch from it.
 */
export async function fillTemplate(api: Api): Promise<void> {
  const { xraySetting } = await api.post<{ xraySetting: string }>('/panel/api/core/', {});
  const template = JSON.parse(xraySetting) as Template;
  const [direct] = template.outbounds;
  if (direct !== undefined) direct['settings'] = { finalRules: [{ action: 'allow' }] };
  template.outbounds.push(
    vless('relay-helsinki', '198.51.100.24', 'b1c0d6b2-4f5e-4a0f-9d3c-6a6f2f1b7a01'),
    vless('relay-amsterdam', '203.0.113.80', 'b1c0d6b2-4f5e-4a0f-9d3c-6a6f2f1b7a02'),
    { tag: 'office-socks', protocol: 'socks', settings: { address: '192.0.2.10', port: 1080 } },
  );
  template.routing.rules = [
    ...template.routing.rules.filter(({ inboundTag }) => inboundTag !== undefined),
    { type: 'field', domain: ['domain:intranet.example.org', 'full:git.example.org'], outboundTag: 'office-socks' },
    { type: 'field', domain: ['domain:video.example.net'], balancerTag: 'nearest' },
    { type: 'field', protocol: ['bittorrent'], outboundTag: 'blocked' },
    { type: 'field', port: '25,465,587', network: 'tcp', outboundTag: 'blocked' },
  ];
  template.routing['balancers'] = [
    { tag: 'nearest', selector: ['relay-'], strategy: { type: 'leastPing' }, fallbackTag: 'direct' },
  ];
  template['observatory'] = {
    subjectSelector: ['relay-'],
    probeUrl: 'https://www.gstatic.com/generate_204',
    probeInterval: '10m',
  };
  template['dns'] = {
    hosts: { 'panel.example.org': '192.0.2.4', 'domain:intranet.example.org': '192.0.2.10' },
    servers: [
      '1.1.1.1',
      { address: 'https://dns.example.net/dns-query', domains: ['domain:example.net'] },
      'localhost',
    ],
    queryStrategy: 'UseIPv4',
    tag: 'dns-out',
  };
  // Panels side by side would compete for the default port.
  template['metrics'] = { ...(template['metrics'] as Json), listen: `127.0.0.1:${await freePort()}` };
  template['log'] = { ...(template['log'] as Json), access: './access.log', loglevel: 'info' };
  await api.post('/panel/api/core/update', { xraySetting: JSON.stringify(template), outboundTestUrl: '' });
}
