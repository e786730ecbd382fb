import { bind, type BindContext } from '../../http/bind.ts';
import * as contract from './contract.ts';
import type { JournalService } from './service.ts';

/** Mounts the journal and the recycle bin. */
export function journalRoutes(ctx: BindContext, journal: JournalService): void {
  bind(ctx, contract.listJournal, ({ query }) => journal.list(query));
  bind(ctx, contract.readJournalEntry, ({ params, query }) => journal.entry(params.id, query.skip));
  bind(ctx, contract.exportJournal, ({ query: { format, ...query }, koa }) => {
    koa.set('Content-Disposition', `attachment; filename=journal.${format}`);
    koa.set('Cache-Control', 'no-store');
    koa.type = format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json';
    koa.body = journal.file(query, format);
    return '';
  });
  bind(ctx, contract.previewUndo, ({ params }) => journal.preview(params.id));
  bind(ctx, contract.undoEntry, ({ params }) => journal.undo(params.id));
  bind(ctx, contract.listBin, ({ query }) => journal.bin.list(query));
  bind(ctx, contract.restoreFromBin, ({ body }) => journal.bin.restore(body.kind, body.ids));
  bind(ctx, contract.eraseFromBin, ({ body, request }) => journal.bin.erase(body.kind, body.ids, request.requestId));
}
