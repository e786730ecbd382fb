import type { JsonObject } from '../../../src-server/contract/json.ts';
import { endpointsOf, endpointText, isOverUdp } from '../../../src-server/core/probe/probe-target.ts';
import { parseLink } from '../../../src-server/links/parse/parse-link.ts';
import type { ReachabilityWay } from '../../bridge/maintenance.ts';
import type { StoredInbound } from '../../bridge/panels.ts';
import { readInbounds } from '../reading/read-lists.ts';
import { plainText } from '../reading/tolerant.ts';
import type { PanelApi } from '../maintenance/panel-api.ts';
import { chooseClients, type Chosen } from './choose-clients.ts';

/** Most addresses of one inbound that are tried; each host adds one. */
const MAX_WAYS = 4;
const MAX_LINKS = 2_000;

/** A way to try: its outbound holds a client's credentials and stays in this process. */
export interface FoundWay {
  way: ReachabilityWay;
  outbound: JsonObject;
  isUdp: boolean;
}

export interface Ways {
  found: FoundWay[];
  /** Inbounds that cannot be tried, each with the reason. */
  unusable: ReachabilityWay[];
}

/**
 * The ways to each enabled inbound of a panel, by links of a client that may connect. @throws {ReadFailure}
 */
export async function findWays(api: PanelApi, preferred: string, nowMs: number): Promise<Ways> {
  const inbounds = (await readInbounds(api.link)).filter(({ enable }) => enable);
  const chosen = await chooseClients(api.link, preferred, nowMs);
  const links = new Map<string, JsonObject[]>();
  const ways: Ways = { found: [], unusable: [] };
  for (const inbound of inbounds) {
    const client = chosen.get(inbound.id);
    const refuse = (words: string): void => void ways.unusable.push({ ...wayOf(inbound, client), words });
    if (client === undefined) {
      refuse('noClient');
      continue;
    }
    const known = links.get(client.email) ?? (await outboundsOf(api, client.email));
    links.set(client.email, known);
    const own = ofInbound(known, inbound, client);
    if (own.length === 0) refuse(known.length === 0 ? 'noLink' : 'noOwnLink');
    for (const outbound of own.slice(0, MAX_WAYS)) {
      const [endpoint] = endpointsOf(outbound);
      if (endpoint === undefined) continue;
      const way: ReachabilityWay = {
        ...wayOf(inbound, client),
        state: 'blocked',
        address: plainText(endpointText(endpoint)),
      };
      ways.found.push({ way, outbound, isUdp: isOverUdp(outbound) });
    }
  }
  return ways;
}

function wayOf(inbound: StoredInbound, client: Chosen | undefined): ReachabilityWay {
  return {
    inboundId: inbound.id,
    inbound: inbound.name,
    protocol: inbound.protocol,
    address: '',
    client: client?.email ?? '',
    state: 'unusable',
    connectMs: null,
    firstByteMs: null,
    bytesPerSec: null,
    exitAddress: '',
    words: '',
  };
}

/** A client's links, as outbounds; a link that cannot be converted is left out. */
async function outboundsOf(api: PanelApi, email: string): Promise<JsonObject[]> {
  const result = await api.get(`/panel/api/clients/links/${encodeURIComponent(email)}`).catch(() => []);
  const links = Array.isArray(result) ? result.slice(0, MAX_LINKS) : [];
  return links.flatMap((link) => {
    const read = typeof link === 'string' ? parseLink(link) : { error: '' };
    return 'outbound' in read ? [{ ...read.outbound }] : [];
  });
}

/**
 * The client's links that lead to this inbound. A link does not name its inbound: for a client that is on no other
 * inbound all links count, else those with its protocol and port.
 */
function ofInbound(outbounds: readonly JsonObject[], inbound: StoredInbound, client: Chosen): JsonObject[] {
  const same = outbounds.filter(({ protocol }) => protocol === inbound.protocol);
  if (client.isAlone) return same.length > 0 ? same : [...outbounds];
  return same.filter((outbound) => endpointsOf(outbound).some(({ port }) => port === inbound.port));
}
