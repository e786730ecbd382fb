import { listOf, textOf, without, withoutBlank } from '../json-access.ts';
import { flag, oneOf, shape, text, uint32, unsent } from '../rules/field-rules.ts';
import { refuseSilent } from '../rules/finding.ts';
import { accounts, checkAccountNames } from './accounts.ts';
import type { Protocol } from './protocol.ts';

export const mixed: Protocol = {
  names: ['mixed', 'socks'],
  coreName: 'mixed',
  keepsStream: false,
  securities: [],
  users: null,
  rules: shape(
    { auth: unsent(oneOf('', 'noauth', 'password')), accounts, udp: flag, ip: text, userLevel: uint32 },
    (value, where, report) => {
      checkAccountNames(value['accounts'], `${where}.accounts`, report);
      if (textOf(value['auth']) === 'password' && listOf(value['accounts']).length === 0)
        refuseSilent(report, `${where}.accounts`, 'config.accounts');
    },
  ),
  normalise: (settings) => (textOf(settings['auth']) === 'noauth' ? without(settings, 'accounts') : settings),
  emit: (inbound) => ({ settings: withoutBlank(inbound.settings, 'ip'), leftOut: [] }),
};
