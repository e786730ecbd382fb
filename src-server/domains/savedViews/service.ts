import { DomainError } from '../../contract/domain-error.ts';
import type { Store } from '../../store/open-store.ts';
import { ListView, MAX_VIEWS, type SavedView } from './contract.ts';
import * as rows from './repository.ts';

/** Views of lists, each with its owner: the id of an admin, empty for API tokens. */
export function createSavedViewService({ store, clock }: { store: Store; clock: () => number }) {
  return {
    async list(owner: string, page: string): Promise<SavedView[]> {
      return (await rows.viewsOf(store.reader, owner, page)).flatMap(({ name, view }) => {
        // Fields written by a later version and unknown to this one are left out.
        const parsed = ListView.safeParse(JSON.parse(view));
        return parsed.success ? [{ name, view: parsed.data }] : [];
      });
    },
    /** @throws {DomainError} `view.tooMany` */
    async save(owner: string, page: string, { name, view }: SavedView): Promise<SavedView> {
      await store.write(async (trx) => {
        const stored = await rows.viewsOf(trx, owner, page);
        if (stored.length >= MAX_VIEWS && stored.every((one) => one.name !== name))
          throw new DomainError('view.tooMany', { max: MAX_VIEWS });
        await rows.putView(trx, { owner, page, name, view: JSON.stringify(view), updatedAtMs: clock() });
      });
      return { name, view };
    },
    async remove(owner: string, page: string, name: string): Promise<null> {
      await store.write((trx) => rows.dropView(trx, owner, page, name));
      return null;
    },
  };
}
export type SavedViewService = ReturnType<typeof createSavedViewService>;
