import { PROTOCOL_FACTS } from '../../../contract/protocol-catalogue.ts';
import { without } from '../json-access.ts';
import { shape } from '../rules/field-rules.ts';
import { refuse } from '../rules/finding.ts';
import { securityOf } from '../inbound/stream-settings.ts';
import { transportOf } from '../transports/transports.ts';
import { hysteriaIdentity } from '../inbound/vless-identity.ts';
import type { Protocol } from './protocol.ts';

export const hysteria: Protocol = {
  names: ['hysteria', 'hysteria2'],
  coreName: 'hysteria',
  keepsStream: true,
  securities: PROTOCOL_FACTS.hysteria.securities,
  rules: shape({}, (value, where, report) => {
    if (value['version'] !== 2) refuse(report, `${where}.version`, 'config.exactly', { value: '2' });
  }),
  check: ({ stream }, report) => {
    if (transportOf(stream)?.name !== 'hysteria')
      refuse(report, 'streamSettings.network', 'config.exactly', { value: 'hysteria' });
    // The core notices this only when it opens the port, and then ends.
    if (securityOf(stream) !== 'tls') refuse(report, 'streamSettings.security', 'config.exactly', { value: 'tls' });
  },
  normalise: (settings) => ({ ...settings, version: 2 }),
  users: {
    credential: 'auth',
    identity: (client) => hysteriaIdentity(client.auth) || null,
    unusable: () => 'it has no password; give it one.',
    entry: (client) => ({ email: client.email, auth: client.auth }),
  },
  emit: (inbound, list) => ({
    settings: { ...without(inbound.settings, 'clients', 'users'), clients: list.users.map((user) => user.entry) },
    leftOut: [],
  }),
};
