import { bind, type BindContext } from '../../http/bind.ts';
import * as contract from './contract.ts';
import type { LedgerService } from './ledger/ledger.ts';
import type { QuarantineService } from './quarantine/quarantine.ts';
import type { HistoryService } from './history/history.ts';
import { presentSessions } from './present.ts';
import type { SessionEnder } from './sessions/end-sessions.ts';

export interface TrafficRouteServices {
  ledger: LedgerService;
  history: HistoryService;
  quarantine: QuarantineService;
  sessions: SessionEnder;
}

export function trafficRoutes(ctx: BindContext, { ledger, history, quarantine, sessions }: TrafficRouteServices): void {
  bind(ctx, contract.readLedger, ({ params, query }) => ledger.read(params.email, query));
  bind(ctx, contract.recountLedger, ({ params }) => ledger.recount(params.email));

  bind(ctx, contract.readHistory, ({ query }) => history.read(query));
  bind(ctx, contract.readHours, ({ query }) => history.hours(query));
  bind(ctx, contract.readTopClients, ({ query }) => history.top({ subject: 'all', name: '', ...query }));

  bind(ctx, contract.listQuarantine, ({ query }) => quarantine.list(query.before));
  bind(ctx, contract.creditQuarantine, ({ params }) => quarantine.credit(params.id));
  bind(ctx, contract.dismissQuarantine, ({ params }) => quarantine.dismiss(params.id));

  bind(ctx, contract.sessionState, async () => presentSessions(await sessions.ability(), sessions.recent()));
  bind(ctx, contract.endSessions, ({ body }) => sessions.takeFor(body.emails, body.how, 'ended by hand'));
}
