import { expect, test } from 'vitest';
import type { JsonObject } from '../contract/json.ts';
import { gatedFlow } from '../core/config/inbound/inbound-rules.ts';
import { HostContent } from '../domains/hosts/contract.ts';
import { endpointsOf } from './endpoints.ts';
import { prepareJsonConfig } from './documents/json-documents.ts';
import { prepareShareLink } from './share-links.ts';
import type { Endpoint, LinkClient, LinkInbound } from './types.ts';
import { yamlProxy } from './documents/yaml-proxies.ts';

const VISION = 'xtls-rprx-vision';
const UUID = '5f0c2b7e-91d4-4c38-a6f1-0d9be27c4410';
const CLIENT: LinkClient = { uuid: UUID, email: 'n', subId: '', password: 'p', auth: '', flow: VISION, security: '' };
const PLAIN = { decryption: 'none', encryption: 'none' };
const ENCRYPTED = { decryption: 'mlkem768x25519plus.native.600s.S', encryption: 'mlkem768x25519plus.native.0rtt.P' };
const JSON_SETTINGS = { subJsonMux: '', subJsonRules: '', subJsonFinalMask: '' };

function inboundOf(protocol: string, settings: JsonObject, stream: JsonObject): LinkInbound {
  return { id: 1, remark: 'r', listen: '', port: 443, protocol, settings, stream, hosts: [], master: null };
}

/** The flow in each form of an endpoint. */
function flowsOf(endpoint: Endpoint): Record<string, string> {
  const [link, config] = [prepareShareLink(endpoint), prepareJsonConfig(endpoint, JSON_SETTINGS)].map((prepared) =>
    'reason' in prepared ? prepared.reason : prepared.render(CLIENT, ''),
  );
  const { outbounds } = JSON.parse(config!) as { outbounds: { settings: { flow?: string } }[] };
  return {
    link: new URL(link!).searchParams.get('flow') ?? '',
    json: outbounds[0]!.settings.flow ?? '',
    yaml: (yamlProxy(endpoint, CLIENT, '') as { flow?: string }).flow ?? '',
  };
}

test.each<[string, JsonObject, JsonObject, string]>([
  ['vless', PLAIN, { network: 'tcp', security: 'tls' }, VISION],
  ['vless', PLAIN, { network: 'tcp', security: 'reality' }, VISION],
  ['vless', PLAIN, { network: 'tcp', security: 'none' }, ''],
  ['vless', PLAIN, { network: 'ws', security: 'tls' }, ''],
  ['vless', ENCRYPTED, { network: 'tcp', security: 'none' }, VISION],
  ['vless', ENCRYPTED, { network: 'tcp', security: 'tls' }, VISION],
  ['vless', ENCRYPTED, { network: 'ws', security: 'none' }, VISION],
  ['vless', ENCRYPTED, { network: 'grpc', security: 'reality' }, VISION],
  ['vless', ENCRYPTED, { network: 'xhttp', security: 'none' }, VISION],
  ['trojan', {}, { network: 'tcp', security: 'reality' }, ''],
])('configuration, link and documents of %s %j over %j have the same flow', (protocol, settings, stream, expected) => {
  const [own] = endpointsOf(inboundOf(protocol, settings, stream), 'raw', () => 'in.example');
  const atCore = gatedFlow(VISION, { protocol, settings, streamSettings: stream });
  expect({ atCore, ...flowsOf(own!) }).toEqual({ atCore: expected, link: expected, json: expected, yaml: expected });
});

test('a host without TLS keeps the flow that VLESS encryption carries, and no other', () => {
  const hosts = [{ ...HostContent.parse({ remark: 'h', security: 'none' }), address: 'h.example', port: 80 }];
  const at = (settings: JsonObject) => {
    const inbound = inboundOf('vless', settings, { network: 'tcp', security: 'tls' });
    return flowsOf(endpointsOf({ ...inbound, hosts }, 'raw', () => '')[0]!);
  };
  expect(at(ENCRYPTED)).toEqual({ link: VISION, json: VISION, yaml: VISION });
  expect(at(PLAIN)).toEqual({ link: '', json: '', yaml: '' });
});

test('behind a fallback the flow is that of the inbound itself, whatever its master has', () => {
  const master = inboundOf('trojan', {}, { network: 'tcp', security: 'tls', tlsSettings: {} });
  const child = { ...inboundOf('vless', PLAIN, { network: 'tcp', security: 'none' }), listen: '127.0.0.1', master };
  expect(flowsOf(endpointsOf(child, 'raw', () => 'm.example')[0]!)).toEqual({ link: '', json: '', yaml: '' });
});
