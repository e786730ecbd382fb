import type { KeyGenerators } from '../../core/keys/key-generators.ts';
import { bind, type BindContext } from '../../http/bind.ts';
import {
  getConfigJson,
  getNewEchCert,
  getNewmldsa65,
  getNewmlkem768,
  getNewUUID,
  getNewVlessEnc,
  getNewX25519Cert,
  getStatus,
  restartCoreService,
  stopCoreService,
} from './contract.ts';
import type { ServerService } from './service.ts';

export function serverRoutes(ctx: BindContext, server: ServerService, keys: KeyGenerators): void {
  bind(ctx, getStatus, () => server.status());
  bind(ctx, getConfigJson, () => server.config());
  bind(ctx, stopCoreService, () => server.stopCore());
  bind(ctx, restartCoreService, () => server.restartCore());

  bind(ctx, getNewUUID, () => keys.newUuid());
  bind(ctx, getNewX25519Cert, () => keys.newX25519());
  bind(ctx, getNewmldsa65, () => keys.newMldsa65());
  bind(ctx, getNewmlkem768, () => keys.newMlkem768());
  bind(ctx, getNewVlessEnc, () => keys.newVlessEnc());
  bind(ctx, getNewEchCert, ({ body }) => keys.newEchCert(body.sni));
}
