import { DomainError } from '../../contract/domain-error.ts';
import { bind, type BindContext } from '../../http/bind.ts';
import * as contract from './contract.ts';
import type { OutboundSubService } from './service.ts';

export function outboundSubRoutes(ctx: BindContext, subs: OutboundSubService): void {
  bind(ctx, contract.listOutboundSubs, () => subs.list());
  bind(ctx, contract.createOutboundSub, ({ body, request }) => subs.create(body, request.requestId));
  // Before whatever takes any word for an id.
  bind(ctx, contract.previewOutboundSub, async ({ body: { details, ...form } }) => {
    const preview = await subs.preview(form);
    return details ? preview : preview.outbounds;
  });
  bind(ctx, contract.refreshOutboundSubs, () => subs.refreshAll());
  bind(ctx, contract.updateOutboundSub, ({ params, body, request }) =>
    subs.update(idIn(params), body, request.requestId),
  );
  bind(ctx, contract.deleteOutboundSub, ({ params, request }) => subs.remove(idIn(params), request.requestId));
  bind(ctx, contract.deleteOutboundSubByPost, ({ params, request }) => subs.remove(idIn(params), request.requestId));
  bind(ctx, contract.refreshOutboundSub, ({ params, request }) => subs.refresh(idIn(params), request.requestId));
  bind(ctx, contract.moveOutboundSub, ({ params, body, request }) =>
    subs.move(idIn(params), body.dir === 'up', request.requestId),
  );
}

/** @throws {DomainError} `outboundSub.invalidId` */
function idIn({ id }: { id: string }): number {
  if (!/^[1-9]\d{0,15}$/.test(id)) throw new DomainError('outboundSub.invalidId');
  return Number(id);
}
