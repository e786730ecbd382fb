import { networkOf } from '../cidr.ts';
import { wireguardKeyHex } from '../encoded-keys.ts';
import { without } from '../json-access.ts';
import { isSocketPath } from '../inbound/listen-address.ts';
import { flag, int32, integer, listOfEach, oneOf, shape, text, unsent, type FieldRule } from '../rules/field-rules.ts';
import { refuse } from '../rules/finding.ts';
import type { Protocol } from './protocol.ts';
import { checkPeers, peerList } from './wireguard-peers.ts';

const address: FieldRule = (value, where, report) => {
  if (typeof value !== 'string' || networkOf(value) === null) refuse(report, where, 'config.ownNetwork');
};

const reserved: FieldRule = (value, where, report) => {
  if (typeof value === 'string') return;
  listOfEach(integer(0, 255))(value, where, report);
  if (Array.isArray(value) && value.length !== 0 && value.length !== 3) refuse(report, where, 'config.reserved');
};

const rules: FieldRule = shape(
  {
    mtu: int32,
    noKernelTun: flag,
    address: listOfEach(address),
    reserved,
    domainStrategy: oneOf('', 'ForceIP', 'ForceIPv4', 'ForceIPv6', 'ForceIPv4v6', 'ForceIPv6v4'),
    dns: unsent(text),
  },
  (value, where, report) => {
    // A key of another length does not fail, it panics the core. The text is not repeated: it is a private key.
    if (typeof value['secretKey'] !== 'string' || wireguardKeyHex(value['secretKey']) === null)
      refuse(report, `${where}.secretKey`, 'config.wireguardKey');
    if (typeof value['mtu'] === 'number' && value['mtu'] < 1) {
      unsent(integer(1))(value['mtu'], `${where}.mtu`, report);
    }
    checkPeers(value['peers'] ?? [], `${where}.peers`, report);
  },
);

export const wireguard: Protocol = {
  names: ['wireguard'],
  coreName: 'wireguard',
  keepsStream: true,
  securities: [],
  users: null,
  rules,
  check: ({ listen }, report) => {
    // Both pass the core's test and end the process when it opens the port.
    if (isSocketPath(listen) || listen.trim() === 'localhost') refuse(report, 'listen', 'config.wireguardListen');
  },
  emit: (inbound) => {
    const { peers, leftOut } = peerList(inbound);
    const settings = without(inbound.settings, 'clients', 'dns', 'peers');
    return { settings: { ...settings, peers: peers.map((peer) => peer.entry) }, leftOut };
  },
};
