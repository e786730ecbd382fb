import { flag, shape, text } from '../rules/field-rules.ts';
import { headersWithoutHost } from './http-headers.ts';
import type { Transport } from './transport.ts';

export const httpupgrade: Transport = {
  name: 'httpupgrade',
  aliases: [],
  blocks: ['httpupgradeSettings'],
  winner: 'httpupgradeSettings',
  carriesReality: false,
  rules: shape({ host: text, path: text, headers: headersWithoutHost, acceptProxyProtocol: flag }),
};
