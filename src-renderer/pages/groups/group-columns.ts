import { createColumnChoice } from '../../ui/columns/column-choice.ts';

const COLUMNS = ['members', 'traffic'] as const;
export type GroupColumn = (typeof COLUMNS)[number];

/** Which columns this browser shows of groups, besides their names. */
export const useGroupColumns = createColumnChoice<GroupColumn>('groups', COLUMNS);
