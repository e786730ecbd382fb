import { DomainError } from '../../contract/domain-error.ts';
import { bind, type BindContext, type Call } from '../../http/bind.ts';
import * as contract from './contract.ts';
import type { OutboundSubService } from './service.ts';

export function outboundSubRoutes(ctx: BindContext, subs: OutboundSubService): void {
  bind(ctx, contract.listOutboundSubs, () => subs.list());
  bind(ctx, contract.createOutboundSub, ({ body, ...call }) => subs.create(body, requesterOf(call)));
  // Before routes that accept any word as an id.
  bind(ctx, contract.previewOutboundSub, async ({ body: { details, ...form } }) => {
    const preview = await subs.preview(form);
    return details ? preview : preview.outbounds;
  });
  bind(ctx, contract.refreshOutboundSubs, () => subs.refreshAll());
  bind(ctx, contract.updateOutboundSub, ({ params, body, ...call }) =>
    subs.update(idIn(params), body, requesterOf(call)),
  );
  bind(ctx, contract.deleteOutboundSub, ({ params, ...call }) => subs.remove(idIn(params), requesterOf(call)));
  bind(ctx, contract.deleteOutboundSubByPost, ({ params, ...call }) => subs.remove(idIn(params), requesterOf(call)));
  bind(ctx, contract.refreshOutboundSub, ({ params, ...call }) => subs.refresh(idIn(params), requesterOf(call)));
  bind(ctx, contract.moveOutboundSub, ({ params, body, ...call }) =>
    subs.move(idIn(params), body.dir === 'up', requesterOf(call)),
  );
}

/** A restart is mentioned in the response message. */
const requesterOf = ({ request, say }: Pick<Call<unknown>, 'request' | 'say'>) => ({
  requestId: request.requestId,
  onRestart: () => say('outboundSub.restarted'),
});

/** @throws {DomainError} `outboundSub.invalidId` */
function idIn({ id }: { id: string }): number {
  if (!/^[1-9]\d{0,15}$/.test(id)) throw new DomainError('outboundSub.invalidId');
  return Number(id);
}
