import { bind, type BindContext } from '../../../http/bind.ts';
import * as contract from './contract.ts';
import type { Enrolments } from './service.ts';

/** Mounts the tickets. The hosts themselves come over WebSocket, without a sign-in: http/trunk-gate.ts. */
export function enrolmentRoutes(ctx: BindContext, enrolments: Enrolments): void {
  bind(ctx, contract.createEnrolment, ({ body, request, koa }) => {
    const { scheme, host } = request.origin;
    const asked = `${scheme}://${host}${(koa.state as { basePath: string }).basePath}`;
    return enrolments.create({ ...body, url: body.url === '' ? asked : body.url });
  });
  bind(ctx, contract.getEnrolment, ({ params }) => enrolments.get(params.id));
  bind(ctx, contract.cancelEnrolment, async ({ params }) => {
    await enrolments.cancel(params.id);
    return null;
  });
}
