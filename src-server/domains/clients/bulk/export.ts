import type { Store } from '../../../store/open-store.ts';
import type { ExportedClient } from './contract.ts';
import { effectiveFlow } from '../rules/flow-rules.ts';
import { presentExport } from '../present.ts';
import { groupLinks } from '../verbs/read.ts';
import { clientsAfter, linksOf } from '../storage/repository-read.ts';

const PAGE_ROWS = 500;

export function createExport(store: Store) {
  /** All clients in import format, by record id, in pages. Usage is not included. */
  return async function* (): AsyncGenerator<ExportedClient[]> {
    for (let afterId = 0; ;) {
      const rows = await clientsAfter(store.heavyReader, afterId, PAGE_ROWS);
      if (rows.length === 0) return;
      const ids = rows.map(({ id }) => id);
      const links = groupLinks(await linksOf(store.heavyReader, ids));
      yield rows.map((row) => {
        const own = links.get(row.id) ?? [];
        return presentExport(row, effectiveFlow(row.flow, own), own);
      });
      afterId = rows.at(-1)!.id;
    }
  };
}
