import { spiderPath } from './client-identity.ts';
import type { Params } from './transport-params.ts';
import type { ClientTls, Endpoint, LinkClient } from './types.ts';

/** Keys of TLS that every link kind shares. */
export function tlsParams(tls: ClientTls): Params {
  return {
    alpn: tls.alpn.join(',') || undefined,
    sni: tls.sni,
    fp: tls.fingerprint,
    ech: tls.echConfigList || undefined,
    vcn: tls.verifyPeerCertByName || undefined,
  };
}

/** Security of vless and trojan links. */
export function securityParams({ security, tls, reality }: Endpoint, client: LinkClient): Params {
  if (security === 'tls' && tls !== null)
    return { security: 'tls', ...tlsParams(tls), pcs: tls.pins.join(',') || undefined };
  if (security === 'reality' && reality !== null)
    return {
      security: 'reality',
      sni: reality.sni,
      sid: reality.shortId,
      pbk: reality.publicKey,
      fp: reality.fingerprint || undefined,
      pqv: reality.mldsa65Verify || undefined,
      spx: spiderPath(reality, client),
    };
  return { security: 'none' };
}
