import type { JsonObject } from '../source.ts';
import { without } from '../json-access.ts';
import { refuse, refuseSilent } from '../rules/finding.ts';
import { flag, integer, integerOrZero, oneOf, shape, text, textTable } from '../rules/field-rules.ts';
import type { Transport } from './transport.ts';

/** Checked by the core only when it opens the listener: a bad type or address ends the whole process. */
const masquerade = shape(
  {
    type: oneOf('', '404', 'file', 'proxy', 'string'),
    dir: text,
    url: text,
    rewriteHost: flag,
    insecure: flag,
    content: text,
    headers: textTable,
    statusCode: integer(0, 999),
  },
  (value, where, report) => {
    const url = value['url'];
    if (value['type'] === 'proxy' && !(typeof url === 'string' && /^https?:\/\/./.test(url) && URL.canParse(url)))
      refuse(report, `${where}.url`, 'config.webAddress');
  },
);

export const hysteriaTransport: Transport = {
  name: 'hysteria',
  aliases: [],
  blocks: ['hysteriaSettings'],
  winner: 'hysteriaSettings',
  carriesReality: false,
  rules: shape({ auth: text, udpIdleTimeout: integerOrZero(2, 600), masquerade }, (value, where, report) => {
    if (value['version'] !== 2) refuse(report, `${where}.version`, 'config.exactly', { value: '2' });
    if (typeof value['auth'] === 'string' && value['auth'] !== '') {
      // Without users the core admits every client that knows this password: disabling the last client would open the
      // inbound.
      refuseSilent(report, `${where}.auth`, 'config.hysteriaAuth');
    }
  }),
  normalise: (settings: JsonObject) => ({ ...(settings['auth'] ? settings : without(settings, 'auth')), version: 2 }),
  emit: (settings: JsonObject) => without(settings, 'auth'),
};
