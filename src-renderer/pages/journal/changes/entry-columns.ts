import { createColumnChoice } from '../../../ui/columns/column-choice.ts';

const COLUMNS = ['who', 'when', 'state'] as const;
export type EntryColumn = (typeof COLUMNS)[number];

/** Columns of the journal that this browser shows, besides what was changed. */
export const useEntryColumns = createColumnChoice<EntryColumn>('journal', COLUMNS);
