import { createColumnChoice } from '../../ui/columns/column-choice.ts';

const COLUMNS = ['members', 'traffic'] as const;
export type GroupColumn = (typeof COLUMNS)[number];

/** Columns of groups that this browser shows, besides their names. */
export const useGroupColumns = createColumnChoice<GroupColumn>('groups', COLUMNS);
