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
import { sockopt } from '../sockopt.ts';

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
    if (isBlank(value['certificateFile']) && isBlank(value['certificate'])) {
      refuse(report, where, 'required', 'needs a certificate: a file path or the certificate itself.');
    } else if (textOf(value['usage']) !== 'verify' && isBlank(value['keyFile']) && isBlank(value['key'])) {
      refuseSilent(report, where, 'required', 'needs the private key of its certificate.');
    }
  },
);

/** One comma-separated text; a list is a decode error. */
const certificateHashes: FieldRule = (value, where, report) => {
  text(value, where, report);
  if (typeof value !== 'string') return;
  for (const hash of value.split(',').filter((part) => part.trim() !== '')) {
    if (!/^[0-9a-f]{64}$/i.test(hash.trim().replaceAll(':', ''))) {
      refuse(report, where, 'format', 'must be SHA-256 hashes in hex, separated by commas.');
    }
  }
};

const echServerKeys: FieldRule = (value, where, report) => {
  text(value, where, report);
  if (typeof value === 'string' && standardBase64Bytes(value) === null) {
    refuse(report, where, 'format', 'must be base64 text as the key generator makes it.');
  }
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
    if (value['allowInsecure'] === true) {
      refuse(
        report,
        `${where}.allowInsecure`,
        'removed',
        'was removed from the core; clients pin the certificate instead.',
      );
    }
    if (!isBlank(value['fingerprint'])) {
      refuse(
        report,
        `${where}.fingerprint`,
        'unsupported',
        'belongs to clients; put it into the client half (settings).',
      );
    }
    const [oldest, newest] = [textOf(value['minVersion']), textOf(value['maxVersion'])];
    if (VERSIONS.includes(oldest) && VERSIONS.includes(newest) && oldest > newest) {
      refuseSilent(report, `${where}.minVersion`, 'lte', 'must not be newer than maxVersion.', newest);
    }
    if (listOf(value['certificates']).length === 0) {
      refuseSilent(
        report,
        `${where}.certificates`,
        'required',
        'needs at least one certificate, or every client is refused.',
      );
    }
  },
);

/** For the generated copy: members that only clients use or that the core no longer has. */
export function serverTls(settings: JsonObject): JsonObject {
  return without(settings, 'settings', 'allowInsecure', 'fingerprint');
}

export function normaliseTls(settings: JsonObject): JsonObject {
  return withoutBlank(settings, 'echSockopt');
}
