import type { Json, JsonObject, LeftOut } from '../source.ts';
import { networkOf, withPrefixLength } from '../cidr.ts';
import { wireguardKeyHex } from '../encoded-keys.ts';
import { isBlank, isJsonObject, listOf, textOf } from '../json-access.ts';
import { listOfEach, shape, text, uint32, type FieldRule } from '../rules/field-rules.ts';
import { refuse, refuseSilent, type Report } from '../rules/finding.ts';
import type { InboundView, UserEntry } from './protocol.ts';

/** What the core gives a peer without allowedIPs: two such peers would both match everything and one would lose. */
const EVERYTHING = ['0.0.0.0/0', '::/0'];

const network: FieldRule = (value, where, report) => {
  if (typeof value !== 'string' || networkOf(value) === null) refuse(report, where, 'config.peerNetwork');
};

const peer: FieldRule = shape(
  { email: text, keepAlive: uint32, allowedIPs: listOfEach(network), endpoint: text },
  (value, where, report) => {
    if (wireguardKeyHex(textOf(value['publicKey'])) === null)
      refuse(report, `${where}.publicKey`, 'config.wireguardKey');
    // A bad one passes the core's test and ends the process at its start.
    if (!isBlank(value['preSharedKey']) && wireguardKeyHex(textOf(value['preSharedKey'])) === null)
      refuse(report, `${where}.preSharedKey`, 'config.preSharedKey');
  },
);

/** Each peer alone, then what must differ between peers: keys, e-mails and networks. */
export function checkPeers(peers: Json, where: string, report: Report): void {
  listOfEach(peer)(peers, where, report);
  const taken = new Taken();
  for (const [index, value] of listOf(peers).entries()) {
    if (!isJsonObject(value)) continue;
    if (!taken.clashes(value, `${where}[${index}].`, report)) taken.add(value);
  }
}

/**
 * The peers the core gets, in stored order; the e-mail of a nameless one is empty, and it can only be changed together
 * with its inbound. One bad peer would stop the core, so it is left out and the rest runs.
 */
export function peerList(inbound: InboundView): { peers: UserEntry[]; leftOut: LeftOut[] } {
  const peers: UserEntry[] = [];
  const leftOut: LeftOut[] = [];
  const taken = new Taken();
  for (const [index, value] of listOf(inbound.settings['peers']).entries()) {
    const reason = problemOf(value, taken);
    if (reason !== null || !isJsonObject(value)) {
      const name = (isJsonObject(value) && (textOf(value['email']) || textOf(value['comment']))) || `peer ${index + 1}`;
      leftOut.push({ kind: 'client', name, reason: `Peer left out of ${inbound.tag}: ${reason ?? ''}` });
      continue;
    }
    taken.add(value);
    const email = textOf(value['email']);
    const entry = email === '' ? entryOf(value) : { email, level: 0, ...entryOf(value) };
    peers.push({ email, entry });
  }
  return { peers, leftOut };
}

function problemOf(value: Json, taken: Taken): string | null {
  const problems: string[] = [];
  const report: Report = ({ message }) => problems.push(message);
  peer(value, 'peer', report);
  if (problems.length === 0 && isJsonObject(value)) taken.clashes(value, '', report);
  return problems.length === 0 ? null : problems.join(' ');
}

/** Never the private key of the client, which the panel keeps for its config file. */
function entryOf(value: JsonObject): JsonObject {
  const entry: JsonObject = { publicKey: textOf(value['publicKey']) };
  const allowed = listOf(value['allowedIPs']).map((text) => withPrefixLength(textOf(text)));
  if (allowed.length > 0) entry['allowedIPs'] = allowed;
  if (textOf(value['preSharedKey']) !== '') entry['preSharedKey'] = textOf(value['preSharedKey']);
  if (typeof value['keepAlive'] === 'number' && value['keepAlive'] > 0) entry['keepAlive'] = value['keepAlive'];
  return entry;
}

/** Values of earlier peers of the same inbound. */
class Taken {
  private readonly keys = new Set<string>();
  private readonly emails = new Set<string>();
  private readonly networks = new Set<string>();

  /** Reports a value that an earlier peer already has; `parent` precedes the name of the field. */
  clashes(value: JsonObject, parent: string, report: Report): boolean {
    const key = wireguardKeyHex(textOf(value['publicKey']));
    const network = networksOf(value).find((name) => this.networks.has(name));
    if (key !== null && this.keys.has(key)) refuseSilent(report, `${parent}publicKey`, 'config.peerKeyTaken');
    else if (this.emails.has(textOf(value['email']).toLowerCase()))
      refuseSilent(report, `${parent}email`, 'config.peerEmailTaken');
    else if (network === undefined) return false;
    else refuseSilent(report, `${parent}allowedIPs`, 'config.peerNetworkTaken', { network });
    return true;
  }

  add(value: JsonObject): void {
    const key = wireguardKeyHex(textOf(value['publicKey']));
    if (key !== null) this.keys.add(key);
    const email = textOf(value['email']).toLowerCase();
    if (email !== '') this.emails.add(email);
    for (const name of networksOf(value)) this.networks.add(name);
  }
}

function networksOf(value: JsonObject): string[] {
  const allowed = listOf(value['allowedIPs']);
  if (allowed.length === 0) return EVERYTHING;
  return allowed.map((text) => networkOf(textOf(text))).filter((name) => name !== null);
}
