import {
  flag,
  int32,
  listOfEach,
  oneOf,
  shape,
  text,
  textList,
  uint32,
  uint64,
  unsent,
  type FieldRule,
} from '../rules/field-rules.ts';
import { refuse } from '../rules/finding.ts';

const DOMAIN_STRATEGIES = ['AsIs', 'UseIP', 'UseIPv4', 'UseIPv6', 'UseIPv4v6', 'UseIPv6v4'];
const FORCED_STRATEGIES = ['ForceIP', 'ForceIPv4', 'ForceIPv6', 'ForceIPv4v6', 'ForceIPv6v4'];
const PORT_STRATEGIES = ['SrvPortOnly', 'SrvAddressOnly', 'SrvPortAndAddress'];
const TXT_STRATEGIES = ['TxtPortOnly', 'TxtAddressOnly', 'TxtPortAndAddress'];

const tcpFastOpen: FieldRule = (value, where, report) => {
  if (typeof value !== 'boolean' && typeof value !== 'number') refuse(report, where, 'config.queueLength');
};

/** Socket options, also used inside tlsSettings.echSockopt. Members match in any letter case (`V6Only`). */
export const sockopt: FieldRule = shape(
  {
    mark: int32,
    tcpFastOpen,
    tproxy: unsent(oneOf('', 'off', 'redirect', 'tproxy')),
    acceptProxyProtocol: flag,
    domainStrategy: oneOf('', ...DOMAIN_STRATEGIES, ...FORCED_STRATEGIES),
    dialerProxy: text,
    tcpKeepAliveInterval: int32,
    tcpKeepAliveIdle: int32,
    tcpCongestion: text,
    tcpWindowClamp: int32,
    tcpMaxSeg: int32,
    tcpUserTimeout: int32,
    penetrate: flag,
    v6only: flag,
    interface: text,
    tcpMptcp: flag,
    customSockopt: listOfEach(
      shape({ system: text, network: text, level: text, opt: text, value: text, type: unsent(oneOf('int', 'str')) }),
    ),
    addressPortStrategy: oneOf('', 'none', ...PORT_STRATEGIES, ...TXT_STRATEGIES),
    happyEyeballs: shape({ prioritizeIPv6: flag, tryDelayMs: uint64, interleave: uint32, maxConcurrentTry: uint32 }),
    trustedXForwardedFor: textList,
  },
  (value, where, report) => {
    const [interval, idle] = [value['tcpKeepAliveInterval'], value['tcpKeepAliveIdle']];
    if (typeof interval === 'number' && typeof idle === 'number' && interval * idle < 0)
      refuse(report, `${where}.tcpKeepAliveIdle`, 'config.keepAliveSign');
  },
);
