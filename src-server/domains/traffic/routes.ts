import { bind, type BindContext } from '../../http/bind.ts';
import { readLedger, recountLedger } from './contract.ts';
import type { LedgerService } from './ledger.ts';

export function trafficRoutes(ctx: BindContext, ledger: LedgerService): void {
  bind(ctx, readLedger, ({ params, query }) => ledger.read(params.email, query));
  bind(ctx, recountLedger, ({ params }) => ledger.recount(params.email));
}
