import { refuseSilent } from '../rules/finding.ts';
import { shape, text, textList, uint32 } from '../rules/field-rules.ts';
import type { Protocol } from './protocol.ts';

/** Rows from older panels keep running; new ones are refused, because they need rights the panel should not have. */
export const tun: Protocol = {
  names: ['tun'],
  coreName: 'tun',
  keepsStream: false,
  securities: [],
  users: null,
  rules: shape({
    name: text,
    mtu: uint32,
    gateway: textList,
    dns: textList,
    userLevel: uint32,
    autoSystemRoutingTable: textList,
    autoOutboundsInterface: text,
  }),
  check: (_inbound, report) => {
    refuseSilent(report, 'protocol', 'config.tun');
  },
  emit: (inbound) => ({ settings: inbound.settings, leftOut: [] }),
};
