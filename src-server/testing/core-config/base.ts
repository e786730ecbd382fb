import type { InboundDraft } from '../../core/config/inbound/inbound-draft.ts';
import type { ClientSource, CoreConfigSource, InboundSource, JsonObject } from '../../core/config/source.ts';

/** Throw-away keys, for tests only. */
export const UUID = 'b831381d-6324-4d53-ad4f-8cda48b30811';
export const OTHER_UUID = '7c0a7d6e-9c5f-4f0e-9a6b-1f6f2d9e4c11';
export const REALITY_KEY = 'GBUKMBrvNDzCz59z0S2yska2gNwV2RhdMgTiUKHv5Ws';
export const WG_SECRET = 'SMs6XQlqxCMYARw9Nh+e8EzXmKL1pyJpl06YQE91nXU=';
export const WG_PEER = '0+SxkED8GhyPQcnSd9808RkNMGyp9OHEozHhj1aNh1M=';
export const WG_OTHER_PEER = 'pvdRacSzNXCrzM7inuaMxKIcpqlqxoKgFH7ILaLmWFI=';
export const KEY_16 = 'AQEBAQEBAQEBAQEBAQEBAQ==';
export const OTHER_KEY_16 = 'AgICAgICAgICAgICAgICAg==';
export const KEY_32 = 'AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=';
export const VLESS_KEY = '6J6-nSYZrOiT5CTwMr5NMj1u93i3-wIDXnB6xIhktkA';
export const DECRYPTION = `mlkem768x25519plus.native.600s.${VLESS_KEY}`;

export const REALITY: JsonObject = {
  target: 'example.com:443',
  serverNames: ['example.com'],
  privateKey: REALITY_KEY,
  shortIds: ['abcd'],
};
export const CERTIFICATES: JsonObject[] = [{ certificateFile: 'cert.pem', keyFile: 'key.pem' }];
export const TLS: JsonObject = { security: 'tls', tlsSettings: { certificates: CERTIFICATES } };
export const HYSTERIA_STREAM: JsonObject = { network: 'hysteria', hysteriaSettings: { version: 2 }, ...TLS };

export function client(overrides: Partial<ClientSource> = {}): ClientSource {
  const empty = { id: UUID, password: 'pw', auth: 'auth', flow: '', reverseTag: '' };
  return { email: 'u@x', ...empty, ...overrides };
}

export function draft(overrides: Partial<InboundDraft> = {}): InboundDraft {
  const place = { listen: '127.0.0.1', port: 40_443 };
  return {
    protocol: 'vless',
    ...place,
    settings: { decryption: 'none' },
    streamSettings: null,
    sniffing: null,
    ...overrides,
  };
}

export function source(overrides: Partial<InboundSource> = {}): InboundSource {
  return { ...draft(overrides), id: 1, tag: 'in-1', clients: [client()], fallbacks: [], ...overrides };
}

export const TEMPLATE: JsonObject = { outbounds: [{ tag: 'direct', protocol: 'freedom' }] };
export const OPTIONS = { apiListen: '127.0.0.1:40001', logFolder: '/var/log/panel' };

export function configSource(overrides: Partial<CoreConfigSource> = {}): CoreConfigSource {
  return { template: TEMPLATE, inbounds: [], subscribedOutbounds: { prepend: [], append: [] }, ...overrides };
}
