import type { InboundSource } from './source.ts';
import { hostAndPort, isAnyAddress, isSocketPath, socketOf } from './inbound/listen-address.ts';
import type { TemplateListener } from './template/template-inbounds.ts';
import { transportsOf } from './inbound/inbound-traits.ts';

interface Claim {
  tag: string;
  listen: string;
  network: string;
}

/**
 * Records who listens where. The core silently shares a port between two inbounds, and between an inbound and its own
 * API: connections then reach one of them at random.
 */
export class PortClaims {
  private readonly byPort = new Map<number, Claim[]>();
  private readonly api: { host: string; port: string } | null;
  private readonly apiSocket: string | null;
  private readonly ofTemplate: readonly TemplateListener[];

  /** @param ofTemplate inbounds of the template, which were there first */
  constructor(apiListen: string, ofTemplate: readonly TemplateListener[]) {
    this.ofTemplate = ofTemplate;
    this.apiSocket = isSocketPath(apiListen) ? socketOf(apiListen) : null;
    this.api = this.apiSocket === null ? hostAndPort(apiListen) : null;
  }

  /** Whether the inbound would share the port or the socket of the API, and with it every call of the panel. */
  coversApi(inbound: InboundSource): boolean {
    if (isSocketPath(inbound.listen)) return socketOf(inbound.listen) === this.apiSocket;
    if (this.api === null || String(inbound.port) !== this.api.port) return false;
    return transportsOf(inbound).includes('tcp') && overlaps(inbound.listen, this.api.host);
  }

  /** Records the inbound and returns an earlier one that has the same port, if any. */
  claim(inbound: InboundSource): string | null {
    if (isSocketPath(inbound.listen)) return null;
    const claims = this.byPort.get(inbound.port) ?? [];
    const networks: string[] = transportsOf(inbound);
    const clash = claims.find(({ listen, network }) => networks.includes(network) && overlaps(listen, inbound.listen));
    for (const network of networks) claims.push({ tag: inbound.tag, listen: inbound.listen, network });
    this.byPort.set(inbound.port, claims);
    const own = this.ofTemplate.find(
      ({ listen, transports, covers }) =>
        !isSocketPath(listen) &&
        covers(inbound.port) &&
        transports.some((transport) => networks.includes(transport)) &&
        overlaps(listen, inbound.listen),
    );
    return (clash ?? own)?.tag ?? null;
  }
}

function overlaps(one: string, other: string): boolean {
  return isAnyAddress(one) || isAnyAddress(other) || one.trim() === other.trim();
}
