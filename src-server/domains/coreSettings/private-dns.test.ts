import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../contract/json.ts';
import { defaultTemplate } from '../../core/config/template/default-template.ts';
import { allowPrivateDns } from './private-dns.ts';

const FREE = { tag: 'home', protocol: 'freedom' };

function withServers(...servers: Json[]): JsonObject {
  return { ...defaultTemplate(), dns: { servers } };
}
function rulesOf(template: JsonObject): JsonObject[] {
  return (template['routing'] as JsonObject)['rules'] as JsonObject[];
}

describe('private DNS servers', () => {
  it('get an outbound before the rule that blocks private networks, one per port', () => {
    const rules = rulesOf(
      allowPrivateDns(
        withServers(
          '192.168.1.9',
          '192.168.1.1:53',
          { address: '10.0.0.1', port: 5353 },
          'https://10.0.0.2/dns-query',
          'tcp://[fd00::1]:5353',
          '8.8.8.8',
          'localhost',
          'https+local://10.0.0.3/dns-query',
          { address: 'dns.example' },
          null,
          7,
        ),
      ),
    );
    expect(rules.slice(0, 5)).toEqual([
      { type: 'field', inboundTag: ['api'], outboundTag: 'api' },
      {
        type: 'field',
        ruleTag: 'switchyard-dns-allow-53',
        ip: ['192.168.1.1', '192.168.1.9'],
        port: '53',
        outboundTag: 'switchyard-dns-direct',
      },
      {
        type: 'field',
        ruleTag: 'switchyard-dns-allow-443',
        ip: ['10.0.0.2'],
        port: '443',
        outboundTag: 'switchyard-dns-direct',
      },
      {
        type: 'field',
        ruleTag: 'switchyard-dns-allow-5353',
        ip: ['10.0.0.1', 'fd00::1'],
        port: '5353',
        outboundTag: 'switchyard-dns-direct',
      },
      expect.objectContaining({ outboundTag: 'blocked' }),
    ]);
  });

  it('use the direct outbound itself where it has no final rules', () => {
    const plain = { ...withServers('192.168.1.1'), outbounds: [FREE, { tag: 'blocked', protocol: 'blackhole' }] };
    const allowed = allowPrivateDns(plain);
    expect(allowed['outbounds']).toEqual(plain.outbounds);
    expect(rulesOf(allowed)[1]).toMatchObject({ ip: ['192.168.1.1'], outboundTag: 'home' });
    const closed = allowPrivateDns(withServers('192.168.1.1'));
    expect((closed['outbounds'] as JsonObject[]).at(-1)).toEqual({
      tag: 'switchyard-dns-direct',
      protocol: 'freedom',
      settings: {},
    });
  });

  it('lose it when they are removed, while rules written by hand stay', () => {
    const once = allowPrivateDns(withServers('192.168.1.1'));
    expect(allowPrivateDns(once)).toEqual(once);
    expect(allowPrivateDns({ ...once, dns: {} })).toEqual({ ...defaultTemplate(), dns: {} });
  });

  it('need nothing where no private network is blocked, or nothing is direct', () => {
    const template = withServers('192.168.1.1');
    const open = { ...template, routing: { rules: [{ domain: ['x'], outboundTag: 'blocked' }] } };
    expect(allowPrivateDns(open)).toBe(open);
    const closed = { ...template, outbounds: [{ tag: 'blocked', protocol: 'blackhole' }] };
    expect(allowPrivateDns(closed)).toBe(closed);
    const off = {
      ...template,
      routing: { rules: [{ ip: ['geoip:private'], outboundTag: 'blocked', enabled: false }] },
    };
    expect(allowPrivateDns(off)).toBe(off);
    for (const odd of [
      {},
      { routing: null },
      { routing: { rules: {} } },
      { dns: [], routing: { rules: [null, 1, 'x'] } },
    ])
      expect(allowPrivateDns(odd)).toBe(odd);
  });
});
