import { bind, type BindContext } from '../../http/bind.ts';
import * as contract from './contract.ts';
import type { CertificateService } from './service.ts';

export function certificateRoutes(ctx: BindContext, certificates: CertificateService): void {
  bind(ctx, contract.listCertificates, () => certificates.list());
  bind(ctx, contract.saveCertificate, ({ body }) => certificates.save(body));
  bind(ctx, contract.obtainCertificate, ({ params }) => certificates.obtain(params.id));
  bind(ctx, contract.revokeCertificate, async ({ params }) => {
    await certificates.revoke(params.id);
    return null;
  });
  bind(ctx, contract.deleteCertificate, async ({ params }) => {
    await certificates.remove(params.id);
    return null;
  });
}
