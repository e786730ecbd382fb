import type { Reason } from '../../contract/envelope.ts';
import { fillText, type Fill } from '../../contract/fields/field-text.ts';

/** Kind of the thing that is not imported. */
export const LEFT_OUT_KINDS = {
  table: 'table',
  host: 'host',
  client: 'client',
  deviceLimit: 'device limit',
  renewals: 'number of renewals',
  trafficReset: 'traffic reset',
  attachment: 'attachment',
  node: 'node',
  administrator: 'administrator',
  externalLink: 'external link',
  fallback: 'fallback',
  apiToken: 'API token',
  inbound: 'inbound',
  shareAddress: 'share address',
  noFlow: '"no flow" switch',
  setting: 'setting',
  secret: 'secret',
  certificate: 'certificate',
} as const;
export type LeftOutKind = keyof typeof LEFT_OUT_KINDS;

/** Why it is not imported. */
export const LEFT_OUT_TEXTS = {
  'leftOut.tableUnknown': 'this panel has no such table',
  'leftOut.inboundStays': 'its inbound does not come',
  'leftOut.clientStays': 'its client does not come',
  'leftOut.emailCase': 'its e-mail differs from another only by case',
  'leftOut.credentials': 'it has another UUID or auth on another inbound; only the first comes',
  'leftOut.emailInvalid':
    'its e-mail is empty or holds blanks, slashes or other characters that this panel does not take',
  'leftOut.deviceLimit': 'this panel limits addresses',
  'leftOut.renewalsLeft': 'this panel does not limit it (left: {left})',
  'leftOut.renewalsUsed': 'no renewals were left; the client no longer renews',
  'leftOut.clientReset': 'this panel resets the traffic of a client when it renews or with its inbound',
  'leftOut.resetDay': 'this panel resets on the first day of the month, not on day {day}',
  'leftOut.withoutClients': 'inbounds of {protocol} have no clients here ({inbound})',
  'leftOut.node': 'nodes are added anew, with their own trust',
  'leftOut.administrator': 'sign in as before; passwords are stored differently here',
  'leftOut.kindUnknown': 'this panel has no kind "{kind}"',
  'leftOut.switchedOff': 'it is switched off, which this panel does not have',
  'leftOut.linkEnded': 'it has ended',
  'leftOut.linkEnds': 'external links do not end here; it stays until it is removed',
  'leftOut.namePrefix': 'this panel puts nothing before its names (there: {prefix})',
  'leftOut.notHashed': 'it is not stored as a hash',
  'leftOut.scopeUnknown': 'this panel has no scope "{scope}"',
  'leftOut.expires': 'tokens of this panel do not expire',
  'leftOut.nameTaken': 'this panel has one of that name',
  'leftOut.shareAddress': 'this panel takes addresses from hosts',
  'leftOut.noFlow': 'this panel sets the flow for each client',
  'leftOut.ofNode': 'it belongs to a node; add the node to this panel and it comes from there',
  'leftOut.protocolUnknown': 'this panel has no protocol "{protocol}"',
  'leftOut.settings': 'its settings are no JSON object',
  'leftOut.streamSettings': 'its transport settings are no JSON object',
  'leftOut.tag': 'its tag is empty or used twice',
  'leftOut.port': 'port {port} does not exist',
  'leftOut.settingUnknown': 'this panel has no such setting',
  'leftOut.noKeys': 'the backup was made without a passphrase and holds no key of it; obtain it anew where it is used',
  'leftOut.lockedKeys': 'its key comes with the passphrase of the backup',
  'leftOut.sealed': 'it was sealed with the key of another data folder; enter it anew',
} as const;
type Code = keyof typeof LEFT_OUT_TEXTS;

export function leftOut<C extends Code>(code: C, ...args: Fill<(typeof LEFT_OUT_TEXTS)[C]>): Reason {
  const params = { ...args[0] };
  return { reason: fillText(LEFT_OUT_TEXTS[code], params), code, params };
}
