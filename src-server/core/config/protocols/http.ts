import { flag, shape, uint32 } from '../rules/field-rules.ts';
import { accounts, checkAccountNames } from './accounts.ts';
import type { Protocol } from './protocol.ts';

export const http: Protocol = {
  names: ['http'],
  coreName: 'http',
  keepsStream: false,
  securities: [],
  users: null,
  rules: shape({ accounts, allowTransparent: flag, userLevel: uint32 }, (value, where, report) => {
    checkAccountNames(value['accounts'], `${where}.accounts`, report);
  }),
  emit: (inbound) => ({ settings: inbound.settings, leftOut: [] }),
};
