import { isLoopbackAddress } from '../../core/config/cidr.ts';
import { bind, type BindContext } from '../../http/bind.ts';
import * as contract from './contract.ts';
import type { Checklist } from './service.ts';

/** Mounts the checklist. */
export function checklistRoutes(ctx: BindContext, checklist: Checklist): void {
  bind(ctx, contract.getChecklist, ({ request: { origin, caller, address } }) =>
    checklist.list({
      isHttps: origin.scheme === 'https',
      isFromHere: caller.kind === 'local' || isLoopbackAddress(address),
    }),
  );
  bind(ctx, contract.dismissCheck, async ({ body }) => {
    await checklist.dismiss(body.name, body.dismissed);
    return null;
  });
}
