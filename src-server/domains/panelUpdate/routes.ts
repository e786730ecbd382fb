import { bind, type BindContext } from '../../http/bind.ts';
import { getPanelUpdateInfo, getUpdateStatus, setUpdateChannel, updatePanel } from './contract.ts';
import type { PanelUpdateService } from './service.ts';

export function panelUpdateRoutes(ctx: BindContext, updates: PanelUpdateService): void {
  bind(ctx, getPanelUpdateInfo, () => updates.info());
  bind(ctx, updatePanel, ({ body }) => updates.start(body.dev));
  bind(ctx, getUpdateStatus, () => updates.status());
  bind(ctx, setUpdateChannel, ({ body }) => updates.setChannel(body.dev));
}
