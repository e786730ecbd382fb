import type { Logger } from '../../contract/logger.ts';
import { bind, type BindContext, type Call } from '../../http/bind.ts';
import { downloadAutomaticBackup, getDb, getMigration, listAutomaticBackups, takeBackup } from './contract.ts';
import type { BackupService, Download } from './service.ts';

export function backupRoutes(ctx: BindContext, backups: BackupService, log: Logger): void {
  /** Every download is logged: the file gives access to everything in the panel. */
  const send = ({ koa, request }: Pick<Call<unknown>, 'koa' | 'request'>, file: Download): string => {
    log.warn('backup.downloaded', { file: file.fileName, by: request.caller.kind, address: request.address });
    koa.set('Content-Disposition', `attachment; filename=${file.fileName}`);
    koa.set('Cache-Control', 'no-store');
    koa.type = 'application/octet-stream';
    if (file.bytes !== null) koa.length = file.bytes;
    koa.body = file.body;
    return '';
  };
  bind(ctx, getDb, async (call) => send(call, await backups.database(call.request.origin.host)));
  bind(ctx, getMigration, async (call) => send(call, await backups.migration()));
  bind(ctx, listAutomaticBackups, () => backups.list());
  bind(ctx, takeBackup, ({ body }) => backups.withKeys(body.passphrase));
  bind(ctx, downloadAutomaticBackup, async (call) => send(call, await backups.automatic(call.params.name)));
}
