import { array, assert, constantFrom, oneof, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Inbound } from '#contract/inbounds';
import type { JsonObject } from '#wire/json';
import { PROTOCOL_FACTS, PROTOCOLS, securitiesOf, TRANSPORTS } from '#wire/protocol-catalogue';
import { changeProtocol, changeSecurity, changeTransport } from './change-kind.ts';
import { fromRecipe, newDraft, toForm, toWire } from './draft.ts';
import { readAt, writeAt } from '../../../forms/draft/json.ts';

const ROW = {
  id: 7,
  enable: true,
  remark: 'Home',
  listen: '',
  port: 443,
  protocol: 'vless',
  expiryTime: 0,
  total: 0,
  up: 5,
  down: 6,
  trafficReset: 'never',
  lastTrafficResetTime: 0,
  nodeId: null,
  originNodeGuid: 'g',
  tag: 'in-443-tcp',
  settings: { clients: [{ email: 'a' }], decryption: 'none', futureKey: { deep: [1] } },
  streamSettings: {
    network: 'ws',
    security: 'tls',
    wsSettings: { path: '/w', odd: 1 },
    tlsSettings: { certificates: [], later: true },
    sockopt: { mark: 0, tproxy: 'off', unheard: 3 },
  },
  sniffing: { enabled: true, destOverride: ['http'], soon: 1 },
  clientStats: [],
  fallbackParent: null,
} as unknown as Inbound;

describe('a stored inbound', () => {
  test('becomes a draft without clients and without the server’s members', () => {
    const draft = toForm(ROW);
    expect(draft['settings']).toEqual({ decryption: 'none', futureKey: { deep: [1] } });
    for (const key of ['id', 'up', 'down', 'clientStats', 'originNodeGuid']) expect(draft).not.toHaveProperty(key);
  });

  test('keeps members without a field through an edit', () => {
    const sent = toWire(writeAt(toForm(ROW), 'streamSettings.wsSettings.path', '/new'));
    expect(sent).toMatchObject({
      settings: { futureKey: { deep: [1] } },
      streamSettings: {
        wsSettings: { path: '/new', odd: 1 },
        tlsSettings: { later: true },
        sockopt: { tproxy: 'off', unheard: 3 },
      },
      sniffing: { soon: 1 },
    });
    expect(readAt(sent, 'streamSettings.sockopt.mark')).toBeUndefined();
  });

  test('keeps what is off by choice', () => {
    const off = { sniffing: { enabled: false, soon: 1 }, streamSettings: { sockopt: { tcpFastOpen: false, mark: 0 } } };
    expect(toWire(toForm({ ...ROW, ...off }))).toMatchObject({
      sniffing: off.sniffing,
      streamSettings: { sockopt: { tcpFastOpen: false } },
    });
  });

  test('with a section that is not JSON is shown and sent as it is', () => {
    const draft = toForm({ ...ROW, streamSettings: '{broken' });
    expect(toWire(draft)['streamSettings']).toBe('{broken');
  });
});

test('an export whose sections are text is opened with them, without its clients', () => {
  const settings = { clients: [{ email: 'a' }], decryption: 'none' };
  const { streamSettings, sniffing, remark, port, protocol } = ROW;
  const text = { settings: JSON.stringify(settings), streamSettings: JSON.stringify(streamSettings) };
  const opened = { remark, port, protocol, settings: { decryption: 'none' }, streamSettings, sniffing };
  expect(fromRecipe(JSON.stringify({ ...ROW, ...text }))).toEqual(opened);
  expect(fromRecipe(JSON.stringify({ ...ROW, settings }))).toEqual(opened);
  expect(fromRecipe('[]')).toEqual({});
});

test('empty values are not sent', () => {
  const draft = {
    ...newDraft(1),
    streamSettings: {
      network: 'xhttp',
      xhttpSettings: { path: '/', scMaxBufferedPosts: 0, xPaddingKey: '', headers: {} },
    },
  };
  expect(readAt(toWire(draft), 'streamSettings.xhttpSettings')).toEqual({ path: '/', headers: {} });
});

describe('another kind', () => {
  test('of protocol keeps what applies and reports what it drops', () => {
    const full = writeAt(writeAt(toForm(ROW), 'settings.fallbacks', [{ dest: '80' }]), 'settings.encryption', 'x.y');
    const { draft, dropped } = changeProtocol(full, 'trojan');
    expect(draft).toMatchObject({
      protocol: 'trojan',
      settings: { fallbacks: [{ dest: '80' }], futureKey: { deep: [1] } },
      streamSettings: { network: 'ws', security: 'tls', tlsSettings: { later: true } },
    });
    expect(dropped).toEqual(['settings.encryption']);
  });

  test('of protocol without transport keeps its socket options only', () => {
    const { draft, dropped } = changeProtocol(toForm(ROW), 'tunnel');
    expect(draft['streamSettings']).toEqual({ sockopt: { mark: 0, tproxy: 'off', unheard: 3 } });
    expect(dropped).toEqual(['streamSettings.wsSettings', 'streamSettings.tlsSettings']);
    expect(changeProtocol(toForm(ROW), 'http').draft['streamSettings']).toBeNull();
  });

  test('of transport drops security that it cannot carry', () => {
    const reality = changeSecurity(writeAt(newDraft(1), 'streamSettings.network', 'grpc'), 'reality').draft;
    const { draft, dropped } = changeTransport(reality, 'ws');
    expect(draft['streamSettings']).toEqual({ network: 'ws', security: 'none' });
    expect(dropped).toEqual(['streamSettings.realitySettings']);
  });

  test('between QUIC and the others takes the usual protocols of TLS along, not those typed by hand', () => {
    const ALPN = 'streamSettings.tlsSettings.alpn';
    const secured = changeSecurity(newDraft(1), 'tls').draft;
    const quic = changeProtocol(secured, 'hysteria2').draft;
    expect(readAt(quic, ALPN)).toEqual(['h3']);
    expect(readAt(changeProtocol(quic, 'vless').draft, ALPN)).toEqual(['h2', 'http/1.1']);
    const typed = writeAt(secured, ALPN, ['h3', 'h2']);
    expect(readAt(changeProtocol(typed, 'hysteria2').draft, ALPN)).toEqual(['h3', 'h2']);
  });

  test('is always one that the protocol has', () => {
    const step = oneof(
      constantFrom(...PROTOCOLS).map((name) => (draft: JsonObject) => changeProtocol(draft, name).draft),
      constantFrom(...TRANSPORTS).map((name) => (draft: JsonObject) => {
        const { transports } = PROTOCOL_FACTS[draft['protocol'] as (typeof PROTOCOLS)[number]];
        return transports.includes(name) ? changeTransport(draft, name).draft : draft;
      }),
    );
    assert(
      property(array(step, { maxLength: 8 }), (steps) => {
        const draft = steps.reduce((at, change) => change(at), newDraft(1));
        const { transports } = PROTOCOL_FACTS[draft['protocol'] as (typeof PROTOCOLS)[number]];
        if (transports.length === 0) return;
        const network = readAt(draft, 'streamSettings.network') as string;
        expect(transports).toContain(network);
        const security = readAt(draft, 'streamSettings.security');
        expect(securitiesOf(draft['protocol'] as (typeof PROTOCOLS)[number], network)).toContain(security);
      }),
      { numRuns: 60 },
    );
  });
});

test('places are read and written without touching their neighbours', () => {
  const root = { list: [{ a: 1 }, { a: 2 }], other: true };
  expect(readAt(root, 'list.1.a')).toBe(2);
  expect(writeAt(root, 'list.0.a', 9)).toEqual({ list: [{ a: 9 }, { a: 2 }], other: true });
  expect(writeAt(root, 'list.0', undefined)).toEqual({ list: [{ a: 2 }], other: true });
  expect(writeAt(root, 'new.deep', 'x')).toEqual({ ...root, new: { deep: 'x' } });
  expect(writeAt(root, 'other', undefined)).toEqual({ list: root.list });
  expect(root).toEqual({ list: [{ a: 1 }, { a: 2 }], other: true });
});
