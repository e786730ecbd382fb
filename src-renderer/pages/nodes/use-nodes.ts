import type { UseQueryResult } from '@tanstack/react-query';
import { listNodes, type Node } from '#contract/nodes';
import { keys } from '../../api/keys.ts';
import { useRead } from '../../api/use-read.ts';

/** Managed panels with the panels behind them. @param everyMs polling interval for connections without a stream */
export function useNodes(everyMs: number | false = false): UseQueryResult<Node[]> {
  return useRead(listNodes, {}, [...keys.nodes, 'list'], { refetchInterval: everyMs });
}

/** Names of the nodes that this panel manages, by id. */
export function useNodeNames(): ReadonlyMap<number, string> {
  const { data = [] } = useNodes();
  return new Map(data.filter(({ transitive }) => transitive !== true).map(({ id, name }) => [id, name]));
}
