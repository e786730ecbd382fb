import { isIpAddress } from '../cidr.ts';
import { listOf, textOf } from '../json-access.ts';
import { refuse } from '../rules/finding.ts';
import {
  flag,
  integer,
  listOfEach,
  oneOf,
  rangeOf,
  shape,
  text,
  textList,
  type FieldRule,
} from '../rules/field-rules.ts';
import { fragment } from './fragment.ts';
import { headerCustomTcp, headerCustomUdp } from './header-custom.ts';
import { noise } from './noise.ts';
import { xmc } from './xmc.ts';

const sudoku: FieldRule = shape({
  password: text,
  ascii: text,
  customTable: text,
  customTables: textList,
  paddingMin: integer(0, 4_294_967_295),
  paddingMax: integer(0, 4_294_967_295),
});

const mkcpLegacy: FieldRule = shape({
  header: oneOf('', 'dns', 'dtls', 'srtp', 'utp', 'wechat', 'wireguard'),
  value: text,
});

const salamander: FieldRule = shape({ password: text }, (value, where, report) => {
  const size = rangeOf(value['packetSize']);
  const isDefault = size !== null && size.from === 0 && size.to === 0;
  if (size === null || (!isDefault && (size.from < 1 || size.to > 2048)))
    refuse(report, `${where}.packetSize`, 'config.rangeWithin', { range: '1-2048' });
  if (Buffer.byteLength(textOf(value['password'])) < 4) refuse(report, `${where}.password`, 'config.maskPassword');
});

const xdns: FieldRule = shape({ domains: textList, resolvers: textList }, (value, where, report) => {
  if ('domain' in value) refuse(report, `${where}.domain`, 'config.domainRemoved');
  if (listOf(value['domains']).length + listOf(value['resolvers']).length === 0)
    refuse(report, `${where}.domains`, 'config.domains');
});

const ipAddress: FieldRule = (value, where, report) => {
  if (typeof value !== 'string' || !isIpAddress(value)) refuse(report, where, 'config.ipAddress');
};

const xicmp: FieldRule = shape({ dgram: flag, ips: listOfEach(ipAddress) });

const realm: FieldRule = shape({ url: text, stunServers: textList }, (value, where, report) => {
  if (!/^realm:\/\/[^@/]+@[^/]+\/.+$/.test(textOf(value['url']))) refuse(report, `${where}.url`, 'config.realmUrl');
  if (listOf(value['stunServers']).length === 0) refuse(report, `${where}.stunServers`, 'config.stunServers');
});

/** Settings of each mask by layer; to the core, a mask of the other layer is as unknown as an invented one. */
export const TCP_MASKS: ReadonlyMap<string, FieldRule> = new Map(
  Object.entries({
    fragment,
    sudoku,
    'header-custom': headerCustomTcp,
    xmc,
  }),
);

export const UDP_MASKS: ReadonlyMap<string, FieldRule> = new Map(
  Object.entries({
    salamander,
    'mkcp-legacy': mkcpLegacy,
    'header-custom': headerCustomUdp,
    xdns,
    xicmp,
    noise,
    sudoku,
    realm,
  }),
);
