import { bind, type BindContext } from '../../http/bind.ts';
import { listServers } from './contract.ts';
import type { Servers } from './service.ts';

/** @param servers null = the database is a file */
export function panelServerRoutes(ctx: BindContext, servers: Servers | null): void {
  bind(ctx, listServers, async () => (await servers?.list()) ?? []);
}
