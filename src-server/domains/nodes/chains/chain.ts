import * as z from 'zod';
import type { Descendant } from './contract.ts';
import type { NodeClient } from '../node-client.ts';

const CHAIN_MS = 4_000;
/** Upper limit for the panels of one node; its response is not trusted. */
const MAX_PANELS = 1_000;

const Text = z
  .string()
  .transform((text) => text.slice(0, 1_024))
  .catch('');
const Figure = z.int().min(0).catch(0);

/** Fields read of a panel behind a node; missing or mistyped ones count as empty. */
const Reported = z.object({
  guid: Text,
  name: Text,
  address: Text,
  scheme: z.enum(['http', 'https']).catch('https'),
  port: Figure,
  status: z.enum(['unknown', 'online', 'offline']).catch('unknown'),
  lastHeartbeat: Figure,
  latencyMs: Figure,
  panelVersion: Text,
  coreVersion: Text,
  coreState: Text,
  coreError: Text,
});
type Reported = z.output<typeof Reported>;

/**
 * Reads the panels that a node manages. One level deep, so panels that manage each other cannot query in a circle.
 * @throws {DomainError} as {@link NodeClient.call}
 */
export function readChain(client: Pick<NodeClient, 'call'>): Promise<Reported[]> {
  return client.call({
    method: 'GET',
    path: 'server/descendants',
    result: z.array(Reported).max(MAX_PANELS),
    timeoutMs: CHAIN_MS,
  });
}

/** Panels behind nodes, kept in memory until a node reports again or goes offline. */
export function createChains() {
  const reported = new Map<number, readonly Reported[]>();
  return {
    set: (nodeId: number, panels: readonly Reported[]): void => void reported.set(nodeId, panels),
    clear: (nodeId: number): void => void reported.delete(nodeId),
    /** The panels that the node manages; null = not reported. */
    of: (nodeId: number): readonly Reported[] | null => reported.get(nodeId) ?? null,
    /** Their GUIDs. */
    below: (nodeId: number): string[] | null => reported.get(nodeId)?.map(({ guid }) => guid) ?? null,
    /**
     * Lists each panel once, without those that have no GUID.
     * @param nodes direct nodes, with the GUID under which each is known
     * @param known GUIDs to leave out: this panel's own and those of the panels it manages directly
     */
    panels(nodes: readonly { id: number; guid: string }[], known: ReadonlySet<string>): Descendant[] {
      const seen = new Set([...known, '']);
      const panels: Descendant[] = [];
      for (const { id, guid: parentGuid } of nodes)
        for (const panel of reported.get(id) ?? []) {
          if (seen.has(panel.guid)) continue;
          seen.add(panel.guid);
          panels.push({ ...panel, parentGuid });
        }
      return panels;
    },
  };
}
export type Chains = ReturnType<typeof createChains>;
