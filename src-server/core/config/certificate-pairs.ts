import type { JsonObject } from './source.ts';
import { isJsonObject, listOf, objectOf, textListOf, textOf } from './json-access.ts';

/** One certificate entry of a stream's TLS settings, for a caller that can read files and parse X.509. */
export interface CertificatePair {
  /** Field path of the entry, `streamSettings.tlsSettings.certificates[0]`. */
  field: string;
  /** Paths; empty when the content is inline. A relative path is looked up in the core's certificate folder. */
  certificateFile: string;
  keyFile: string;
  /** PEM text; empty when a path is given. */
  certificatePem: string;
  keyPem: string;
  /** `verify` entries are authorities for client certificates and have no key. */
  usage: 'encipherment' | 'verify' | 'issue';
}

/** The entries in stored order; a path wins over inline content, as in the core. Empty unless security is tls. */
export function certificatePairsOf(streamSettings: JsonObject | null): CertificatePair[] {
  if (textOf(streamSettings?.['security']).toLowerCase() !== 'tls') return [];
  const entries = listOf(objectOf(streamSettings?.['tlsSettings'])['certificates']);
  return entries.flatMap((entry, index) => {
    if (!isJsonObject(entry)) return [];
    const certificateFile = textOf(entry['certificateFile']);
    const keyFile = textOf(entry['keyFile']);
    const usage = textOf(entry['usage']).toLowerCase();
    return {
      field: `streamSettings.tlsSettings.certificates[${index}]`,
      certificateFile,
      keyFile,
      certificatePem: certificateFile === '' ? pemOf(entry['certificate']) : '',
      keyPem: keyFile === '' ? pemOf(entry['key']) : '',
      usage: usage === 'verify' || usage === 'issue' ? usage : 'encipherment',
    };
  });
}

function pemOf(lines: JsonObject[string] | undefined): string {
  return typeof lines === 'string' ? lines : textListOf(lines).join('\n');
}
