import { bind, type BindContext } from '../../http/bind.ts';
import type { RequestInfo } from '../../http/guards/caller.ts';
import * as contract from './contract.ts';
import type { SavedViewService } from './service.ts';

/** Owner of the views: each admin has their own. */
const ownerOf = ({ caller }: RequestInfo): string => (caller.kind === 'session' ? String(caller.adminId) : '');

export function savedViewRoutes(ctx: BindContext, views: SavedViewService): void {
  bind(ctx, contract.listViews, ({ params, request }) => views.list(ownerOf(request), params.page));
  bind(ctx, contract.saveView, ({ params, body, request }) => views.save(ownerOf(request), params.page, body));
  bind(ctx, contract.deleteView, ({ params, body, request }) => views.remove(ownerOf(request), params.page, body.name));
}
