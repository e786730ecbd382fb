import { PROTOCOL_FACTS } from '../../../contract/protocol-catalogue.ts';
import type { JsonObject } from '../source.ts';
import { textOf, without } from '../json-access.ts';
import { credentialKeyBytes } from '../inbound/inbound-traits.ts';
import { standardBase64Bytes } from '../encoded-keys.ts';
import { oneOf, shape, text, textListOrText, unsent, type FieldRule } from '../rules/field-rules.ts';
import { refuse } from '../rules/finding.ts';
import type { Protocol } from './protocol.ts';

const SINGLE_USER = '2022-blake3-chacha20-poly1305';
const MODERN = ['2022-blake3-aes-128-gcm', '2022-blake3-aes-256-gcm', SINGLE_USER];
const LEGACY = [
  'aes-128-gcm',
  'aes-256-gcm',
  'chacha20-poly1305',
  'chacha20-ietf-poly1305',
  'xchacha20-poly1305',
  'xchacha20-ietf-poly1305',
];
/** Other spellings of the legacy ciphers in imported rows. */
const ALIASES = ['aead_aes_128_gcm', 'aead_aes_256_gcm', 'aead_chacha20_poly1305', 'aead_xchacha20_poly1305'];
const NO_CIPHER = ['none', 'plain'];

const rules: FieldRule = shape(
  { password: text, email: text, network: unsent(textListOrText(oneOf('', 'tcp', 'udp'))) },
  (value, where, report) => {
    const method = textOf(value['method']);
    const accepted = [...MODERN, ...LEGACY].join(', ');
    if (!MODERN.includes(method) && ![...LEGACY, ...ALIASES].includes(method.toLowerCase())) {
      const isRemoved = NO_CIPHER.includes(method.toLowerCase());
      refuse(report, `${where}.method`, isRemoved ? 'config.cipherRemoved' : 'config.oneOf', { names: accepted });
    }
    const bytes = credentialKeyBytes(value);
    if (bytes !== null && standardBase64Bytes(textOf(value['password'])) !== bytes)
      refuse(report, `${where}.password`, 'config.cipherKey', { bytes });
  },
);

export const shadowsocks: Protocol = {
  names: ['shadowsocks'],
  coreName: 'shadowsocks',
  keepsStream: true,
  securities: PROTOCOL_FACTS.shadowsocks.securities,
  rules,
  heal: (settings) =>
    NO_CIPHER.includes(textOf(settings['method']).toLowerCase())
      ? { ...settings, method: 'chacha20-ietf-poly1305' }
      : settings,
  users: {
    credential: 'password',
    isListed: ({ settings }) => settings['method'] !== SINGLE_USER,
    identity: ({ password }, { settings }) => {
      const bytes = credentialKeyBytes(settings);
      return bytes === null || standardBase64Bytes(password) === bytes ? password || null : null;
    },
    unusable: ({ settings }) => {
      const bytes = credentialKeyBytes(settings);
      if (bytes === null) return 'it has no password; give it one.';
      return `its password is not base64 of exactly ${bytes} bytes, as the cipher wants; give it a new one.`;
    },
    // A legacy user needs the inbound's method, a 2022 user must not have one: the core refuses anything else.
    entry: ({ email, password }, { settings }): JsonObject =>
      credentialKeyBytes(settings) === null
        ? { email, password, method: textOf(settings['method']) }
        : { email, password },
  },
  emit: (inbound, list) => {
    const settings = without(inbound.settings, 'clients', 'users', 'ivCheck');
    const clients = list.users.map((user) => user.entry);
    if (credentialKeyBytes(settings) === null) return { settings: { ...settings, clients }, leftOut: [] };
    // Without users the core would serve every client that knows the inbound's own password.
    if (clients.length === 0) return 'it has no enabled client, and without one it would be open to its own password.';
    if (settings['method'] !== SINGLE_USER) return { settings: { ...settings, clients }, leftOut: [] };
    const [owner, ...others] = list.users;
    return {
      settings: { ...settings, email: owner?.email ?? '' },
      leftOut: others.map(({ email }) => ({
        kind: 'client',
        name: email,
        reason: `Client left out of ${inbound.tag}: its cipher serves a single user; choose a 2022 aes cipher.`,
      })),
    };
  },
};
