import { PROTOCOL_FACTS } from '../../../contract/protocol-catalogue.ts';
import { without } from '../json-access.ts';
import { shape } from '../rules/field-rules.ts';
import { uuidOf } from '../inbound/vless-identity.ts';
import type { Protocol } from './protocol.ts';

export const vmess: Protocol = {
  names: ['vmess'],
  coreName: 'vmess',
  keepsStream: true,
  securities: PROTOCOL_FACTS.vmess.securities,
  rules: shape({}),
  users: {
    credential: 'id',
    identity: (client) => uuidOf(client.id),
    unusable: () => 'its id is neither a UUID nor a text of 1 to 30 bytes; give it a new one.',
    entry: (client) => ({ email: client.email, id: client.id }),
  },
  emit: (inbound, list) => ({
    settings: { ...without(inbound.settings, 'clients', 'users'), clients: list.users.map((user) => user.entry) },
    leftOut: [],
  }),
};
