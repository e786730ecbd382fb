import { bind, type BindContext } from '../../http/bind.ts';
import { getCoreVersion, installCore, listGeoFiles, updateGeofile, updateGeofiles } from './contract.ts';
import type { CoreFilesService } from './service.ts';

export function coreFilesRoutes(ctx: BindContext, coreFiles: CoreFilesService): void {
  bind(ctx, getCoreVersion, () => coreFiles.versions());
  bind(ctx, installCore, ({ params }) => coreFiles.install(params.version));
  bind(ctx, listGeoFiles, () => coreFiles.geoFiles());
  bind(ctx, updateGeofiles, ({ body }) => coreFiles.updateGeoFiles(body.fileName ?? ''));
  bind(ctx, updateGeofile, ({ params }) => coreFiles.updateGeoFiles(params.fileName));
}
