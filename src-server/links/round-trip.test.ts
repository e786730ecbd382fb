import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../contract/json.ts';
import { endpointsOf } from './endpoints.ts';
import { parseLink } from './parse/parse-link.ts';
import { prepareShareLink } from './share-links.ts';
import type { LinkClient } from './types.ts';

/** Text that operators and strangers enter: line ends, markup, direction marks, YAML and template specials. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '\r\n',
        '\0',
        '<script>',
        '"',
        "'",
        '\u202e',
        '- !!x &a',
        '{{EMAIL}}',
        '%',
        '#',
        '?',
        '&',
        '+',
        '@',
        ':',
        ' ',
      ),
      fc.string({ unit: 'grapheme', maxLength: 5 }),
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(''));
const filled = hostile.map((text) => `x${text}`);

const transports = fc.oneof(
  fc
    .record({ network: fc.constantFrom('ws', 'httpupgrade'), path: filled, host: hostile })
    .map(({ network, path, host }) => ({ network, settings: { path, host }, read: { path, host } })),
  fc.record({ serviceName: hostile, authority: hostile, multiMode: fc.boolean() }).map((settings) => ({
    network: 'grpc',
    settings,
    read: settings,
  })),
);

const tlsStored = fc.record({ sni: hostile, fp: hostile, ech: hostile });
const places = fc.record({
  address: fc.constantFrom('203.0.113.77', '2001:db8::5', 'h.example'),
  port: fc.integer({ min: 1, max: 65_535 }),
  name: hostile,
});

test.each(['vless', 'vmess', 'trojan'])('%s: a rendered link reads back unchanged, whatever its texts', (protocol) => {
  fc.assert(
    fc.property(
      transports,
      tlsStored,
      places,
      filled,
      (transport, { sni, fp, ech }, { address, port, name }, secret) => {
        const { network, settings } = transport;
        const tlsSettings: JsonObject = { serverName: sni, settings: { fingerprint: fp, echConfigList: ech } };
        const stream: JsonObject = { network, security: 'tls', [`${network}Settings`]: settings, tlsSettings };
        const inbound = {
          id: 1,
          remark: '',
          listen: '',
          port,
          protocol,
          settings: {},
          stream,
          hosts: [],
          master: null,
        };
        const [endpoint] = endpointsOf(inbound, 'raw', () => address);
        const prepared = prepareShareLink(endpoint!);
        if ('reason' in prepared) throw new Error(prepared.reason);
        const uuid = '5f0c2b7e-91d4-4c38-a6f1-0d9be27c4410';
        const client: LinkClient = {
          uuid,
          email: '',
          subId: '',
          password: secret,
          auth: '',
          flow: '',
          security: 'auto',
        };
        const link = prepared.render(client, name);

        expect(link).toMatch(/^[\u0021-\u007e]+$/);
        const parsed = parseLink(link);
        if ('error' in parsed) throw new Error(parsed.error);
        const { outbound } = parsed;
        expect(outbound.tag).toBe(name);
        expect(JSON.stringify(outbound.settings)).toContain(`"port":${port}`);
        expect(JSON.stringify(outbound.settings)).toContain(JSON.stringify(address));
        expect(JSON.stringify(outbound.settings)).toContain(JSON.stringify(protocol === 'trojan' ? secret : uuid));
        expect(outbound.streamSettings).toMatchObject({
          network,
          [`${network}Settings`]: transport.read,
          tlsSettings: { serverName: sni, fingerprint: fp, echConfigList: ech },
        });
      },
    ),
    { numRuns: 300 },
  );
});
