import type { Duplex } from 'node:stream';
import type { Publish } from '../../../contract/events.ts';
import type { Place } from '../../../net/trunk/messages.ts';
import type { KnownNode, Registry } from '../registry.ts';
import type { createNodeTrunks } from './node-trunks.ts';

interface ArrivalDeps {
  registry: Pick<Registry, 'all' | 'get'>;
  trunks: Pick<ReturnType<typeof createNodeTrunks>, 'accept'>;
  /** Address it has connected from, and where it says that it listens; null = unknown. */
  noteAddress: (id: number, address: string, place: Place | null) => Promise<void>;
  probe: (node: KnownNode) => Promise<unknown>;
  publish: Publish;
}

/** Connections from enrolled nodes. */
export function createArrivals({ registry, trunks, noteAddress, probe, publish }: ArrivalDeps) {
  const isIts = ({ row }: KnownNode, trunkId: string): boolean =>
    row.trunkId === trunkId && row.enable === 1 && row.tlsVerifyMode === 'enrolled';
  return {
    /** @returns the id of its node; null = no enabled node */
    find: (trunkId: string): number | null => registry.all().find((node) => isIts(node, trunkId))?.row.id ?? null,
    /** @throws {DialError} when it is a different node, or a copy of it */
    async take(id: number, stream: Duplex, address: string): Promise<void> {
      const row = registry.get(id)?.row;
      if (row === undefined) {
        stream.destroy();
        return;
      }
      const place = await trunks.accept(row, stream, address);
      await noteAddress(id, address, place);
      // Shown at once, not with the next round.
      const node = registry.get(id);
      if (node !== undefined) await probe(node);
      publish({ type: 'invalidate', resource: 'nodes' });
    },
  };
}
