import { bind, type BindContext } from '../../../http/bind.ts';
import * as contract from './contract.ts';
import type { Enrolments } from './service.ts';

/** The operator may have copied the address of a page instead of the base. */
function baseOf(text: string): string {
  const { origin, pathname } = new URL(text);
  return `${origin}${pathname.replace(/panel(\/.*)?$/, '').replace(/\/*$/, '/')}`;
}

/** Mounts the ticket endpoints. Hosts themselves connect over WebSocket, without a sign-in: assembly/trunks.ts. */
export function enrolmentRoutes(ctx: BindContext, enrolments: Enrolments): void {
  bind(ctx, contract.createEnrolment, ({ body, request, koa }) => {
    const { scheme, host } = request.origin;
    const asked = `${scheme}://${host}${(koa.state as { basePath: string }).basePath}`;
    return enrolments.create({ ...body, url: baseOf(body.url || asked) });
  });
  bind(ctx, contract.movePanel, ({ body }) => enrolments.moved(baseOf(body.url)));
  bind(ctx, contract.getEnrolment, ({ params }) => enrolments.get(params.id));
  bind(ctx, contract.cancelEnrolment, async ({ params }) => {
    await enrolments.cancel(params.id);
    return null;
  });
}
