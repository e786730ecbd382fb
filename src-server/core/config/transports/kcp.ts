import type { JsonObject } from '../source.ts';
import { refuse } from '../rules/finding.ts';
import { integer, shape, uint32 } from '../rules/field-rules.ts';
import { without } from '../json-access.ts';
import type { Transport } from './transport.ts';

const DEFAULT_MTU = 1350;

/** Source: the core's own bounds; outside them it refuses the config. */
export const kcp: Transport = {
  name: 'kcp',
  aliases: ['mkcp'],
  blocks: ['kcpSettings'],
  winner: 'kcpSettings',
  carriesReality: false,
  rules: shape(
    {
      mtu: integer(21, 65_535),
      tti: integer(10, 1000),
      uplinkCapacity: uint32,
      downlinkCapacity: uint32,
      cwndMultiplier: integer(1, 4_294_967_295),
      maxSendingWindow: uint32,
    },
    (value, where, report) => {
      if ('header' in value) refuse(report, `${where}.header`, 'config.kcpRemoved');
      if ('seed' in value && value['seed'] !== null) refuse(report, `${where}.seed`, 'config.kcpRemoved');
      const mtu = typeof value['mtu'] === 'number' ? value['mtu'] : DEFAULT_MTU;
      const window = value['maxSendingWindow'];
      if (typeof window === 'number' && window < mtu)
        refuse(report, `${where}.maxSendingWindow`, 'config.kcpWindow', { mtu });
    },
  ),
  normalise: (settings: JsonObject) => without(settings, 'header', 'seed'),
};
