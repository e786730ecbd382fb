import type { JsonObject } from '../source.ts';
import { isBlank, listOf, textOf, without, withoutBlank } from '../json-access.ts';
import { refuse, refuseSilent } from '../rules/finding.ts';
import {
  flag,
  listOfEach,
  oneOf,
  shape,
  text,
  textList,
  textListOrText,
  uint64,
  unsent,
  type FieldRule,
} from '../rules/field-rules.ts';
import { standardBase64Bytes } from '../encoded-keys.ts';
import { sockopt } from '../inbound/sockopt.ts';

const VERSIONS = ['1.0', '1.1', '1.2', '1.3'];

const certificate = shape(
  {
    certificateFile: text,
    keyFile: text,
    certificate: textList,
    key: textList,
    usage: unsent(oneOf('', 'encipherment', 'verify', 'issue')),
    ocspStapling: uint64,
    oneTimeLoading: flag,
    buildChain: flag,
  },
  (value, where, report) => {
    if (isBlank(value['certificateFile']) && isBlank(value['certificate'])) refuse(report, where, 'config.certificate');
    else if (textOf(value['usage']) !== 'verify' && isBlank(value['keyFile']) && isBlank(value['key']))
      refuseSilent(report, where, 'config.certificateKey');
  },
);

/** One comma-separated text; a list is a decode error. */
const certificateHashes: FieldRule = (value, where, report) => {
  text(value, where, report);
  if (typeof value !== 'string') return;
  for (const hash of value.split(',').filter((part) => part.trim() !== '')) {
    if (!/^[0-9a-f]{64}$/i.test(hash.trim().replaceAll(':', ''))) refuse(report, where, 'config.certificateHashes');
  }
};

const echServerKeys: FieldRule = (value, where, report) => {
  text(value, where, report);
  if (typeof value === 'string' && standardBase64Bytes(value) === null) refuse(report, where, 'config.echKeys');
};

const version = unsent(oneOf('', ...VERSIONS));

export const tlsRules: FieldRule = shape(
  {
    certificates: listOfEach(certificate),
    serverName: text,
    alpn: textListOrText(),
    minVersion: version,
    maxVersion: version,
    cipherSuites: text,
    rejectUnknownSni: flag,
    enableSessionResumption: flag,
    disableSystemRoot: flag,
    curvePreferences: textListOrText(),
    masterKeyLog: text,
    pinnedPeerCertSha256: certificateHashes,
    verifyPeerCertByName: text,
    echServerKeys,
    echConfigList: text,
    echSockopt: sockopt,
  },
  (value, where, report) => {
    if (value['allowInsecure'] === true) refuse(report, `${where}.allowInsecure`, 'config.allowInsecure');
    if (!isBlank(value['fingerprint'])) refuse(report, `${where}.fingerprint`, 'config.clientHalf');
    const [oldest, newest] = [textOf(value['minVersion']), textOf(value['maxVersion'])];
    if (VERSIONS.includes(oldest) && VERSIONS.includes(newest) && oldest > newest)
      refuseSilent(report, `${where}.minVersion`, 'config.minVersion', { newest });
    if (listOf(value['certificates']).length === 0)
      refuseSilent(report, `${where}.certificates`, 'config.certificates');
  },
);

/** For the generated config: removes members that only clients use or that the core no longer has. */
export function serverTls(settings: JsonObject): JsonObject {
  return without(settings, 'settings', 'allowInsecure', 'fingerprint');
}

export function normaliseTls(settings: JsonObject): JsonObject {
  return withoutBlank(settings, 'echSockopt');
}
