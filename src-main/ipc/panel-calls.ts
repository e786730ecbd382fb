import * as z from 'zod';
import { HOME, isNavigable } from '../guards/own-page.ts';
import { PanelsChoicesInput } from '../panels/panels-choices.ts';
import type { AllPanels } from '../shell/all-panels.ts';
import { handle } from './handle.ts';

const Id = z.string().min(1).max(64);
const SearchText = z.string().max(1_000);
const ClientsQuery = z.object({
  id: Id,
  text: SearchText,
  offset: z.int().min(0).max(1_000_000),
  limit: z.int().min(1).max(500),
});
/** A page of the interface; never an API call, and nothing outside of it. */
const PagePath = z
  .string()
  .max(2_048)
  .refine((path) => path.startsWith('/panel') && isNavigable(HOME + path.slice(1)));

/** The calls for the page of all panels. */
export function registerPanelCalls({ calls }: Pick<AllPanels, 'calls'>): void {
  handle('panels.show', z.boolean(), calls.show);
  handle('panels.refresh', Id, calls.refresh);
  handle('panels.setChoices', PanelsChoicesInput, calls.setChoices);
  handle('panels.search', SearchText, (text) => calls.request('search', text));
  handle('panels.inventory', Id, (id) => calls.request('inventory', id));
  handle('panels.clients', ClientsQuery, (query) => calls.request('clients', query));
  handle('panels.open', z.object({ id: Id, path: PagePath }), ({ id, path }) => calls.open(id, path));
}
