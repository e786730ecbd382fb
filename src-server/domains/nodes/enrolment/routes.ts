import { baseOfPage } from '../../../contract/fields/panel-base.ts';
import { bind, type BindContext } from '../../../http/bind.ts';
import * as contract from './contract.ts';
import type { Enrolments } from './service.ts';

/** Base of the address that an operator typed, who may have copied that of a page. */
function baseOf(text: string, ownBase: string): string {
  const { origin, pathname } = new URL(text);
  // The base of this panel may itself look like the path of a page.
  const isBelow = `${pathname}/`.startsWith(ownBase) && /^(panel(\/.*)?)?$/.test(pathname.slice(ownBase.length));
  return origin + (isBelow ? ownBase : baseOfPage(pathname));
}

/** Mounts the ticket endpoints. Hosts themselves connect over WebSocket, without a sign-in: assembly/trunks.ts. */
export function enrolmentRoutes(ctx: BindContext, enrolments: Enrolments): void {
  const ownBase = (koa: { state: object }): string => (koa.state as { basePath: string }).basePath;
  bind(ctx, contract.createEnrolment, ({ body, request, koa }) => {
    const { scheme, host } = request.origin;
    const url = body.url === '' ? `${scheme}://${host}${ownBase(koa)}` : baseOf(body.url, ownBase(koa));
    return enrolments.create({ ...body, url });
  });
  bind(ctx, contract.movePanel, ({ body, koa }) => enrolments.moved(baseOf(body.url, ownBase(koa))));
  bind(ctx, contract.listEnrolments, () => enrolments.list());
  bind(ctx, contract.getEnrolment, ({ params }) => enrolments.get(params.id));
  bind(ctx, contract.cancelEnrolment, async ({ params }) => {
    await enrolments.cancel(params.id);
    return null;
  });
}
