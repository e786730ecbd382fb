import { DomainError } from '../../contract/domain-error.ts';
import { bind, type BindContext, type Call } from '../../http/bind.ts';
import { importDb, importResult, importPreview, previewBackup, restoreBackup } from './contract.ts';
import type { ImportHow, ImportService } from './service.ts';

export function importRoutes(ctx: BindContext, imports: ImportService): void {
  bind(ctx, importPreview, ({ body, files }) => imports.preview(fileOf(files), howOf(body)));
  bind(ctx, importDb, ({ body, files }) => imports.import(fileOf(files), howOf(body)));
  bind(ctx, previewBackup, ({ params, body }) => imports.previewBackup(params.name, body.passphrase));
  bind(ctx, restoreBackup, ({ params, body }) => imports.restore(params.name, body));
  bind(ctx, importResult, () => imports.lastResult());
}

/** @throws {DomainError} `import.noFile` */
function fileOf(files: Call<unknown>['files']): string {
  const file = files.find(({ field }) => field === importDb.fileField);
  if (file === undefined) throw new DomainError('import.noFile');
  return file.path;
}

/** Only the exact text `false` discards this machine's own settings. */
const howOf = ({ keepHostSettings, passphrase }: { keepHostSettings: string; passphrase: string }): ImportHow => ({
  keepHostSettings: keepHostSettings !== 'false',
  passphrase,
});
