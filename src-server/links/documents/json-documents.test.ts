import { expect, test } from 'vitest';
import type { JsonObject } from '../../contract/json.ts';
import { HostContent } from '../../domains/hosts/contract.ts';
import { clientOf, exampleOf, golden } from '../../testing/golden-links.ts';
import { endpointsOf } from '../endpoints.ts';
import { jsonDocument, prepareJsonConfig } from './json-documents.ts';
import type { LinkHost } from '../types.ts';

const DOCUMENTS = golden('json-documents') as Record<string, string>;
const PLAIN = { subJsonMux: '', subJsonRules: '', subJsonFinalMask: '' };

function rendered(id: string, { stream = {}, hosts = [] as LinkHost[], settings = PLAIN, name = 'n' }): string {
  const example = exampleOf(id);
  const { inbound, address } = example;
  const { streamSettings, ...rest } = inbound;
  const whole = { ...rest, id: 1, listen: '', stream: { ...streamSettings, ...stream }, hosts, master: null };
  const [endpoint] = endpointsOf(whole, 'json', () => address);
  const prepared = prepareJsonConfig(endpoint!, settings);
  if ('reason' in prepared) return prepared.reason;
  return jsonDocument([prepared.render(clientOf(example), name)]);
}

const proxyIn = (text: string): unknown => (JSON.parse(text) as { outbounds: unknown[] }[])[0]?.outbounds[0];

test('a whole document, byte for byte', () => {
  const reality = exampleOf('E3').inbound.streamSettings['realitySettings'] as JsonObject;
  const { mldsa65Verify: _verify, ...inner } = reality['settings'] as JsonObject;
  const subJsonRules = '[{"type":"field","domain":["domain:ads.example"],"outboundTag":"block"}]';
  const text = rendered('E3', {
    stream: { realitySettings: { ...reality, settings: inner } },
    settings: { ...PLAIN, subJsonRules },
    name: 'Bergen-nina',
  });
  expect(text).toBe(DOCUMENTS['E26']);
});

test('host overrides with the mux and mask of the settings', () => {
  const host = HostContent.parse({
    remark: 'P',
    hostHeader: 'z.example',
    sockoptParams: '{"tcpFastOpen":true}',
    muxParams: '{"enabled":true,"concurrency":4}',
  });
  const text = rendered('E10', {
    stream: { finalmask: { tcp: [{ type: 'sudoku' }] }, sockopt: { mark: 255 } },
    hosts: [{ ...host, address: 'p.relay.example', port: 0 }],
    settings: {
      ...PLAIN,
      subJsonMux: '{"enabled":true,"concurrency":5}',
      subJsonFinalMask: '{"tcp":[{"type":"fragment","settings":{"packets":"tlshello","length":"50-100","delay":"5"}}]}',
    },
  });
  expect(proxyIn(text)).toEqual(JSON.parse(DOCUMENTS['E27']!));
});

test.each([
  ['{"enabled":true,"concurrency":5}', [true, false, false]],
  ['{"enabled":true,"concurrency":-1,"xudpConcurrency":8}', [true, true, true]],
])('the mux %s of the settings or a host is in outbounds of WebSocket, Vision and XHTTP: %j', (mux, expected) => {
  const examples = ['E10', 'E2', 'E12'];
  const host = HostContent.parse({ remark: 'P', muxParams: mux });
  const hasMux = (id: string, from: object): boolean => 'mux' in Object(proxyIn(rendered(id, from)));
  expect(examples.map((id) => hasMux(id, { settings: { ...PLAIN, subJsonMux: mux } }))).toEqual(expected);
  expect(examples.map((id) => hasMux(id, { hosts: [{ ...host, address: 'p.example', port: 0 }] }))).toEqual(expected);
});

test.each([
  ['E17', 'E28'],
  ['E19', 'E29'],
])('outbound of %s', (id, document) => {
  expect(proxyIn(rendered(id, {}))).toEqual(JSON.parse(DOCUMENTS[document]!));
});

test('the core has no Hysteria 1, so it is left out', () => {
  expect(rendered('E20', {})).toBe('The core knows no Hysteria 1');
});

test('a name made of markup, line breaks and quotes stays one string', () => {
  const name = '</script>"\r\n\u202e{{EMAIL}}\\';
  expect(JSON.parse(rendered('E1', { name }))).toMatchObject([{ remarks: name }]);
});
