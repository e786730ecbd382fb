import { PROTOCOL_FACTS } from '../../../contract/protocol-catalogue.ts';
import { without, withoutBlank } from '../json-access.ts';
import { fallbackRows, withFallbacks } from '../inbound/fallbacks.ts';
import { shape } from '../rules/field-rules.ts';
import type { Protocol } from './protocol.ts';

export const trojan: Protocol = {
  names: ['trojan'],
  coreName: 'trojan',
  keepsStream: true,
  securities: PROTOCOL_FACTS.trojan.securities,
  rules: shape({ fallbacks: fallbackRows }),
  normalise: (settings) => withoutBlank(settings, 'fallbacks'),
  users: {
    credential: 'password',
    identity: (client) => client.password || null,
    unusable: () => 'it has no password; give it one.',
    // Never a flow: a single trojan user with one stops the whole core.
    entry: (client) => ({ email: client.email, password: client.password }),
  },
  emit: (inbound, list, rows) => {
    const { settings, leftOut } = withFallbacks(inbound, 'trojan', rows);
    const clients = list.users.map((user) => user.entry);
    return { settings: { ...without(settings, 'clients', 'users'), clients }, leftOut };
  },
};
