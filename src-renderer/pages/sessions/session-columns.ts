import { createColumnChoice } from '../../ui/columns/column-choice.ts';

const COLUMNS = ['addresses', 'inbounds', 'place', 'since', 'up', 'down'] as const;
export type SessionColumn = (typeof COLUMNS)[number];

/** Which columns this browser shows of sessions, besides whose they are. */
export const useSessionColumns = createColumnChoice<SessionColumn>('sessions', COLUMNS);
