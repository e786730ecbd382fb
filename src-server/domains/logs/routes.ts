import { bind, type BindContext } from '../../http/bind.ts';
import type { AccessClass } from './access-line.ts';
import { coreLogs, panelLogs } from './contract.ts';
import type { LogService } from './service.ts';

export function logRoutes(ctx: BindContext, logs: LogService): void {
  bind(ctx, panelLogs, ({ params, body }) =>
    logs.panelLog(params.count, {
      level: body.level,
      isSyslog: body.syslog ?? false,
      filter: body.filter ?? '',
    }),
  );
  bind(ctx, coreLogs, ({ params, body }) => {
    const classes: [boolean, AccessClass][] = [
      [body.showDirect, 0],
      [body.showBlocked, 1],
      [body.showProxy, 2],
    ];
    const hidden = new Set(classes.filter(([isShown]) => !isShown).map(([, event]) => event));
    const query = { filter: body.filter ?? '', hidden };
    return body.format === 'entries' ? logs.coreLogEntries(params.count, query) : logs.coreLog(params.count, query);
  });
}
