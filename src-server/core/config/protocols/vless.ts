import { PROTOCOL_FACTS } from '../../../contract/protocol-catalogue.ts';
import type { JsonObject } from '../source.ts';
import { isBlank, textOf, without, withoutBlank } from '../json-access.ts';
import { fallbackRows, withFallbacks } from '../inbound/fallbacks.ts';
import { gatedFlow, hasVlessEncryption } from '../inbound/inbound-traits.ts';
import { oneOf, listOfEach, shape, text, uint32, type FieldRule } from '../rules/field-rules.ts';
import { refuse, refuseSilent } from '../rules/finding.ts';
import { vlessIdentity } from '../inbound/vless-identity.ts';
import type { Protocol } from './protocol.ts';
import { decryptionProblem } from './vless-encryption.ts';

const VISION = 'xtls-rprx-vision';
/** Known only to clients; a server that reads it refuses the config, and serves such clients under the plain name. */
const CLIENT_VISION = 'xtls-rprx-vision-udp443';

const rules: FieldRule = shape(
  {
    encryption: text,
    flow: oneOf('', VISION),
    testseed: listOfEach(uint32),
    fallbacks: fallbackRows,
  },
  (value, where, report) => {
    const decryption = value['decryption'];
    if (typeof decryption !== 'string' || decryption === '') {
      refuse(report, `${where}.decryption`, 'config.decryption');
      return;
    }
    const problem = decryptionProblem(decryption);
    if (problem !== null) refuse(report, `${where}.decryption`, problem);
    const isEncrypted = hasVlessEncryption(value);
    if (isEncrypted && !isBlank(value['fallbacks'])) refuse(report, `${where}.fallbacks`, 'config.encryptedFallbacks');
    const encryption = textOf(value['encryption']);
    if (!isEncrypted && encryption !== '' && encryption !== 'none')
      refuseSilent(report, `${where}.encryption`, 'config.encryptionHalf');
    if (Array.isArray(value['testseed']) && value['testseed'].length !== 4)
      refuseSilent(report, `${where}.testseed`, 'config.testseed');
  },
);

export const vless: Protocol = {
  names: ['vless'],
  coreName: 'vless',
  keepsStream: true,
  securities: PROTOCOL_FACTS.vless.securities,
  rules,
  normalise: (settings) => {
    const named = withoutBlank(settings, 'fallbacks', 'testseed');
    return isBlank(named['decryption']) ? { ...named, decryption: 'none' } : named;
  },
  users: {
    credential: 'id',
    identity: (client) => vlessIdentity(client.id),
    unusable: () => 'its id is neither a UUID nor a text of 1 to 30 bytes; give it a new one.',
    entry: (client, inbound) => {
      const entry: JsonObject = { email: client.email, id: client.id };
      const { settings, stream: streamSettings } = inbound;
      if (gatedFlow(client.flow, { protocol: 'vless', settings, streamSettings }) !== '') {
        if (client.flow !== VISION && client.flow !== CLIENT_VISION)
          return 'its flow is unknown to the core; choose a vision flow or none.';
        entry['flow'] = VISION;
      }
      if (client.reverseTag !== '') entry['reverse'] = { tag: client.reverseTag };
      return entry;
    },
  },
  emit: (inbound, list, rows) => {
    const { settings, leftOut } = withFallbacks(inbound, 'vless', rows);
    const clients = list.users.map((user) => user.entry);
    return { settings: { ...without(settings, 'encryption', 'clients', 'users'), clients }, leftOut };
  },
};
