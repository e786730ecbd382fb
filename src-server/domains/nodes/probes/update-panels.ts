import * as z from 'zod';
import { DomainError } from '../../../contract/domain-error.ts';
import type { KnownNode, Registry } from '../registry.ts';
import { launchPanelUpdate } from '../rollout/exchange.ts';

interface UpdateDeps {
  registry: Pick<Registry, 'get'>;
  /** @throws {DomainError} for a node that is missing or disabled */
  requireEnabled: (id: number) => KnownNode;
  textOf: (error: DomainError) => string;
}

/**
 * Launches the panel update on nodes, one after the other; a failure does not affect the others.
 * @returns in the order of the ids; `error` says why a node was not updated
 * @throws {DomainError} `node.noneSelected`
 */
export async function updatePanels(
  { registry, requireEnabled, textOf }: UpdateDeps,
  ids: readonly number[],
  isDev: boolean,
) {
  if (ids.length === 0) throw new DomainError('node.noneSelected');
  const results: { id: number; name: string; ok: boolean; error?: string }[] = [];
  for (const id of ids) {
    const name = registry.get(id)?.row.name ?? '';
    try {
      const node = requireEnabled(id);
      if (node.row.status !== 'online') throw new DomainError('node.offline');
      await node.client().call({
        ...launchPanelUpdate(isDev),
        result: z.unknown(),
      });
      results.push({ id, name, ok: true });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      results.push({ id, name, ok: false, error: textOf(error) });
    }
  }
  return results;
}
