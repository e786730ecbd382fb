import type { KeyGenerators } from '../../core/keys/key-generators.ts';
import { bind, type BindContext } from '../../http/bind.ts';
import {
  getCertificates,
  getCertHash,
  getConfigJson,
  getNewEchCert,
  getNewmldsa65,
  getNewmlkem768,
  getNewUUID,
  getNewVlessEnc,
  getNewX25519Cert,
  getReachability,
  getRemoteCertHash,
  getStatus,
  getWebCertFiles,
  restartCoreService,
  stopCoreService,
} from './contract.ts';
import type { CertificateHashes } from './certificate-hash.ts';
import type { ServerService } from './service.ts';

export function serverRoutes(
  ctx: BindContext,
  server: ServerService,
  keys: KeyGenerators,
  hashes: CertificateHashes,
): void {
  bind(ctx, getStatus, () => server.status());
  bind(ctx, getConfigJson, () => server.config());
  bind(ctx, stopCoreService, () => server.stopCore());
  bind(ctx, restartCoreService, () => server.restartCore());

  bind(ctx, getReachability, () => server.reachability());
  bind(ctx, getWebCertFiles, () => server.webCertFiles());
  bind(ctx, getCertificates, () => server.certificates());
  bind(ctx, getCertHash, ({ body }) =>
    hashes.local({ certFile: body.certFile ?? '', certContent: body.certContent ?? '' }),
  );
  // An admin at the panel may inspect servers of the internal network; a token is often used by a script elsewhere.
  bind(ctx, getRemoteCertHash, ({ body, request }) =>
    hashes.remote(
      body.server ?? '',
      body.sni ?? '',
      request.caller.kind === 'session' || request.caller.kind === 'local',
    ),
  );

  bind(ctx, getNewUUID, () => keys.newUuid());
  bind(ctx, getNewX25519Cert, () => keys.newX25519());
  bind(ctx, getNewmldsa65, () => keys.newMldsa65());
  bind(ctx, getNewmlkem768, () => keys.newMlkem768());
  bind(ctx, getNewVlessEnc, () => keys.newVlessEnc());
  bind(ctx, getNewEchCert, ({ body }) => keys.newEchCert(body.sni));
}
