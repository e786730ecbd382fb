import type { JsonObject } from '../source.ts';
import { isAtLeast } from '../core-version.ts';
import { isBlank, isJsonObject, listOf, renamed, without, withoutBlank } from '../json-access.ts';
import {
  flag,
  integer,
  oneOf,
  shape,
  text,
  textListOrText,
  uint32,
  unsent,
  type FieldRule,
} from '../rules/field-rules.ts';
import { refuse } from '../rules/finding.ts';
import type { Protocol } from './protocol.ts';
import { checkPortMap, portMapOf, portMapRows } from './port-map.ts';

/** Old name to the name since core 26.5.9. The core still reads the old one, and prefers it. */
const NAMES = [
  ['address', 'rewriteAddress'],
  ['port', 'rewritePort'],
  ['network', 'allowedNetwork'],
] as const;

const networks = unsent(textListOrText(oneOf('tcp', 'udp', '')));
const allowedNetwork: FieldRule = (value, where, report) => {
  networks(value, where, report);
  if (Array.isArray(value) && value.length === 0) refuse(report, where, 'config.tunnelNetworks');
};
const rewritePort = integer(0, 65_535);

export const tunnel: Protocol = {
  names: ['tunnel', 'dokodemo-door'],
  coreName: 'tunnel',
  keepsStream: true,
  securities: [],
  users: null,
  rules: shape(
    {
      rewriteAddress: text,
      address: text,
      rewritePort,
      port: rewritePort,
      allowedNetwork,
      network: allowedNetwork,
      followRedirect: flag,
      userLevel: uint32,
    },
    (value, where, report) => checkPortMap(value['portMap'] ?? null, `${where}.portMap`, report),
  ),
  normalise: (settings) => {
    let named = settings;
    for (const [old, current] of NAMES) named = overwritten(named, old, current);
    named = withoutBlank(named, 'rewriteAddress', 'rewritePort');
    if (named['rewritePort'] === 0) named = without(named, 'rewritePort');
    return isJsonObject(named['portMap']) ? { ...named, portMap: portMapRows(named['portMap']) } : named;
  },
  emit: (inbound, _users, _rows, { coreVersion }) => {
    const isOld = !isAtLeast(coreVersion, '26.5.9');
    let settings = without(inbound.settings, 'portMap');
    const portMap = portMapOf(listOf(inbound.settings['portMap']));
    if (Object.keys(portMap).length > 0) settings = { ...settings, portMap };
    if (isOld) for (const [old, current] of NAMES) settings = renamed(settings, current, old);
    return { settings, leftOut: [] };
  },
};

function overwritten(settings: JsonObject, old: string, current: string): JsonObject {
  const value = settings[old];
  if (value === undefined) return settings;
  return isBlank(value) ? without(settings, old) : { ...without(settings, old), [current]: value };
}
