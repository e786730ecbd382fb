import { createColumnChoice } from '../../ui/columns/column-choice.ts';

const COLUMNS = ['addresses', 'inbounds', 'place', 'since', 'up', 'down'] as const;
export type SessionColumn = (typeof COLUMNS)[number];

/** Columns of sessions that this browser shows, besides the client's name. */
export const useSessionColumns = createColumnChoice<SessionColumn>('sessions', COLUMNS);
