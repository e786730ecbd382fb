import { createColumnChoice } from '../../../ui/columns/column-choice.ts';

const COLUMNS = ['who', 'when', 'state'] as const;
export type EntryColumn = (typeof COLUMNS)[number];

/** Which columns this browser shows of the journal, besides what was changed. */
export const useEntryColumns = createColumnChoice<EntryColumn>('journal', COLUMNS);
