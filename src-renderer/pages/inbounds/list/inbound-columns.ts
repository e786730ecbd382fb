import { createColumnChoice } from '../../../ui/columns/column-choice.ts';

const COLUMNS = ['kind', 'port', 'node', 'clients', 'traffic'] as const;
export type InboundColumn = (typeof COLUMNS)[number];

/** Which columns this browser shows of inbounds, besides their names and switches. */
export const useInboundColumns = createColumnChoice<InboundColumn>('inbounds', COLUMNS);
