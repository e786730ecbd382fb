import { createColumnChoice } from '../../../ui/columns/column-choice.ts';

const COLUMNS = ['kind', 'port', 'node', 'clients', 'traffic'] as const;
export type InboundColumn = (typeof COLUMNS)[number];

/** Columns of inbounds that this browser shows, besides names and switches. */
export const useInboundColumns = createColumnChoice<InboundColumn>('inbounds', COLUMNS);
