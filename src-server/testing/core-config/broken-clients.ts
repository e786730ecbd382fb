import type { InboundDraft } from '../../core/config/inbound/inbound-draft.ts';
import type { ClientSource } from '../../core/config/source.ts';
import * as base from './base.ts';

export interface BrokenClients {
  name: string;
  inbound: { draft: Partial<InboundDraft>; good: Partial<ClientSource> };
  /** Clients after a good one; all of them are left out. */
  clients: readonly ClientSource[];
  /** Part of the reason. */
  says: string;
}

const VLESS: Partial<InboundDraft> = { protocol: 'vless', settings: { decryption: 'none' } };
const FLOWING: Partial<InboundDraft> = { ...VLESS, streamSettings: { network: 'tcp', ...base.TLS } };
const VMESS: Partial<InboundDraft> = { protocol: 'vmess', settings: {} };
const TROJAN: Partial<InboundDraft> = { protocol: 'trojan', settings: {} };
const LEGACY: Partial<InboundDraft> = { protocol: 'shadowsocks', settings: { method: 'aes-256-gcm' } };
const MODERN: Partial<InboundDraft> = {
  protocol: 'shadowsocks',
  settings: { method: '2022-blake3-aes-128-gcm', password: base.KEY_16 },
};
const SINGLE: Partial<InboundDraft> = {
  protocol: 'shadowsocks',
  settings: { method: '2022-blake3-chacha20-poly1305', password: base.KEY_32 },
};
const HYSTERIA: Partial<InboundDraft> = { protocol: 'hysteria', settings: {}, streamSettings: base.HYSTERIA_STREAM };
const KEYED = { password: base.KEY_16 };
/** Differs from the good id only in the third group, which carries the route the client chooses. */
const SAME_TO_THE_CORE = base.UUID.replace('-4d53-', '-9999-');

function row(
  name: string,
  draft: Partial<InboundDraft>,
  client: Partial<ClientSource>,
  says: string,
  good: Partial<ClientSource> = {},
): BrokenClients {
  return { name, inbound: { draft, good }, clients: [base.client({ email: 'bad@x', ...client })], says };
}

export const BROKEN_CLIENTS: readonly BrokenClients[] = [
  row('vless without id', VLESS, { id: '' }, 'its id is neither'),
  row('vless id of 31 characters', VLESS, { id: 'x'.repeat(31) }, 'its id is neither'),
  row('vless id of letters', VLESS, { id: `z${base.UUID.slice(1)}` }, 'its id is neither'),
  row('vless same id', VLESS, { id: base.UUID.toUpperCase() }, 'cannot tell its id from that of good@x'),
  row('vless id with another route', VLESS, { id: SAME_TO_THE_CORE }, 'cannot tell its id from that of good@x'),
  row('vless same e-mail', VLESS, { id: base.OTHER_UUID, email: 'GOOD@x' }, 'the same e-mail'),
  row('vless without e-mail', VLESS, { id: base.OTHER_UUID, email: '' }, 'it has no e-mail'),
  row('vless e-mail with arrows', VLESS, { id: base.OTHER_UUID, email: 'a>>>b' }, 'contains >>>'),
  row('vless unknown flow', FLOWING, { id: base.OTHER_UUID, flow: 'foo' }, 'its flow is unknown'),
  row('vmess without id', VMESS, { id: '' }, 'its id is neither'),
  row('vmess same id', VMESS, {}, 'cannot tell its id from that of good@x'),
  row('trojan without password', TROJAN, { password: '' }, 'it has no password'),
  row('trojan same password', TROJAN, {}, 'cannot tell its password from that of good@x'),
  row('shadowsocks without password', LEGACY, { password: '' }, 'it has no password'),
  row('shadowsocks same password', LEGACY, {}, 'cannot tell its password from that of good@x'),
  row('shadowsocks 2022 short key', MODERN, { password: 'AQEB' }, 'not base64 of exactly 16 bytes', KEYED),
  row('shadowsocks 2022 long key', MODERN, { password: base.KEY_32 }, 'not base64 of exactly 16 bytes', KEYED),
  row('shadowsocks 2022 text', MODERN, { password: 'pw' }, 'not base64 of exactly 16 bytes', KEYED),
  row('shadowsocks 2022 same key', MODERN, KEYED, 'cannot tell its password from that of good@x', KEYED),
  row('shadowsocks single user', SINGLE, { password: base.KEY_32.replace('AQ', 'Ag') }, 'serves a single user', {
    password: base.KEY_32,
  }),
  row('hysteria without password', HYSTERIA, { auth: '' }, 'it has no password'),
  row('hysteria same password', HYSTERIA, {}, 'cannot tell its auth from that of good@x'),
  row('hysteria UUID with another route', HYSTERIA, { auth: SAME_TO_THE_CORE }, 'cannot tell its auth', {
    auth: base.UUID,
  }),
];
