import type { Logger } from '../contract/logger.ts';
import { listOf, objectOf, textListOf, textOf } from '../core/config/json-access.ts';
import type { CoreConfigSource, JsonObject } from '../core/config/source.ts';
import type { Egress } from '../net/proxy/connect-egress.ts';

/** Tag of the core's inbound for the panel's own requests, and the first port to try for it. */
export const PANEL_EGRESS = 'panel-egress';
export const FIRST_EGRESS_PORT = 62_790;

/** Not a node id: details that are being tried and are not saved. */
export const TRIAL_NODE_ID = 0;

/** Tag of the core's inbound for requests to a node, and the first port to try for it. */
export const nodeBridge = (nodeId: number): { tag: string; firstPort: number } => ({
  tag: `node-egress-${nodeId}`,
  firstPort: Math.min(62_800 + nodeId, 65_000),
});

/** Outbounds whose far end dials: the target is resolved in its network, not in this machine's. */
const PROXIES = ['vless', 'vmess', 'trojan', 'shadowsocks', 'hysteria', 'wireguard', 'http', 'socks'];

export interface PanelEgressDeps {
  /** Tag of an outbound or balancer; empty = the requests leave directly. */
  target: () => string;
  /** Tag of the core's inbound for them. */
  bridge?: string;
  /** As in {@link Egress}. */
  takesOwnNetwork?: boolean;
  /** Port of the running bridge; null when it does not run. */
  bridgePort: (tag: string) => number | null;
  readTemplate: () => Promise<JsonObject>;
  readSubscribed: () => Promise<CoreConfigSource['subscribedOutbounds']>;
  log: Logger;
}

/** Where the panel's requests leave at this moment; null = directly, which is logged when it is not intended. */
export function createPanelEgress(deps: PanelEgressDeps) {
  const { target, bridgePort, readTemplate, readSubscribed, log } = deps;
  return async (): Promise<Egress | null> => {
    const tag = target();
    if (tag === '') return null;
    const port = bridgePort(deps.bridge ?? PANEL_EGRESS);
    if (port === null) {
      log.warn('egress.direct', { target: tag, reason: 'the core does not run this outbound' });
      return null;
    }
    const isFar = leadsFar(tag, await readTemplate(), await readSubscribed());
    return { via: port, isFar, ...(deps.takesOwnNetwork === true ? { takesOwnNetwork: true } : {}) };
  };
}

/** Whether every route that the target may take ends at a proxy. */
export function leadsFar(
  target: string,
  template: JsonObject,
  { prepend, append }: CoreConfigSource['subscribedOutbounds'],
): boolean {
  const outbounds = [...prepend, ...listOf(template['outbounds']), ...append].map(objectOf);
  const balancers = listOf(objectOf(template['routing'])['balancers']).map(objectOf);
  const balancer = balancers.find(({ tag }) => tag === target);
  const isTaken =
    balancer === undefined
      ? (tag: string): boolean => tag === target
      : (tag: string): boolean =>
          tag === balancer['fallbackTag'] || textListOf(balancer['selector']).some((start) => tag.startsWith(start));
  const taken = outbounds.filter(({ tag }) => isTaken(textOf(tag)));
  return taken.length > 0 && taken.every(({ protocol }) => PROXIES.includes(textOf(protocol).toLowerCase()));
}
