import * as z from 'zod';
import { inParallel } from '../../../concurrency.ts';
import { DomainError } from '../../../contract/domain-error.ts';
import type { KnownNode, Registry } from '../registry.ts';
import type { NodeVersions } from './contract.ts';

/** Nodes whose geo files are requested in parallel. */
const PARALLEL = 8;
const READ_MS = 5_000;
const GeoFiles = z.array(z.object({ name: z.string().max(256), size: z.number(), updatedAt: z.number() })).max(100);

/** Versions of all nodes as last probed, and their geo files, which are requested now. */
export async function readVersions(registry: Pick<Registry, 'all'>): Promise<NodeVersions[]> {
  const nodes = registry.all();
  const geo = new Map<number, NodeVersions['geoFiles']>();
  await inParallel(nodes, PARALLEL, async (node) => void geo.set(node.row.id, await geoFilesOf(node)));
  return nodes.map(({ row }) => ({
    id: row.id,
    name: row.name,
    enable: row.enable === 1,
    status: row.status,
    panelVersion: row.panelVersion,
    coreVersion: row.coreVersion,
    coreState: row.coreState,
    coreVersionBefore: row.coreVersionBefore === row.coreVersion ? '' : row.coreVersionBefore,
    panelVersionBefore: row.panelVersionBefore === row.panelVersion ? '' : row.panelVersionBefore,
    geoFiles: geo.get(row.id) ?? null,
  }));
}

async function geoFilesOf(node: KnownNode): Promise<NodeVersions['geoFiles']> {
  if (node.row.enable === 0 || node.row.status !== 'online') return null;
  try {
    return await node.client().call({ method: 'GET', path: 'server/geoFiles', result: GeoFiles, timeoutMs: READ_MS });
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}
