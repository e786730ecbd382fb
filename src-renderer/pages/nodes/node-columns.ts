import { createColumnChoice } from '../../ui/columns/column-choice.ts';

const COLUMNS = ['state', 'versions', 'load', 'inbounds', 'clients', 'enable'] as const;
export type NodeColumn = (typeof COLUMNS)[number];

/** Columns of nodes that this browser shows, besides their names. */
export const useNodeColumns = createColumnChoice<NodeColumn>('nodes', COLUMNS);
