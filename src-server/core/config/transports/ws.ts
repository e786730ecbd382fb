import { flag, shape, text, textTable, uint32 } from '../rules/field-rules.ts';
import type { Transport } from './transport.ts';

export const ws: Transport = {
  name: 'ws',
  aliases: ['websocket'],
  blocks: ['wsSettings'],
  winner: 'wsSettings',
  carriesReality: false,
  rules: shape({ host: text, path: text, headers: textTable, acceptProxyProtocol: flag, heartbeatPeriod: uint32 }),
};
