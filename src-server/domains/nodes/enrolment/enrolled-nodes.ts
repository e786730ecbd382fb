import type { Basics } from '../../basics.ts';
import { classifyAddress } from '../../../net/address-class.ts';
import type { WriteTransaction } from '../../../store/open-store.ts';
import type { Place } from '../../../net/trunk/messages.ts';
import { columnsOf } from '../node-columns.ts';
import type { Registry } from '../registry.ts';
import * as rows from '../repository.ts';
import { redeliverAll } from '../sync/push/repository-push.ts';
import type { NodeRow } from '../stored-types.ts';
import type { EnrolledNode } from './introduction.ts';

interface EnrolledNodeDeps extends Pick<Basics, 'store' | 'clock'> {
  registry: Registry;
  /** Agreements with an enrolled node are void. */
  endTrunk: (nodeId: number) => void;
  /** Reads a node anew after its row has changed. */
  reload: (nodeId: number) => Promise<void>;
}

/** Saves hosts that have enrolled, and the addresses they connect from. */
export function createEnrolledNodes({ store, clock, registry, endTrunk, reload }: EnrolledNodeDeps) {
  return {
    /**
     * Saves a host that has enrolled, as a new node or replacing the connection of an existing one.
     * @param also runs in the same transaction
     * @returns its id
     */
    async saveEnrolled(
      { id: known, isPrivate, trunkId, ...place }: EnrolledNode,
      also: (trx: WriteTransaction, id: number) => Promise<void>,
    ): Promise<number> {
      const nowMs = clock();
      const id = await store.write(async (trx) => {
        const trust = { tlsVerifyMode: 'enrolled', trunkId, apiToken: '', pinnedCertSha256: '' } as const;
        const at = {
          ...place,
          seenPlace: placeText(place),
          allowPrivateAddress: isPrivate ? (1 as const) : (0 as const),
        };
        const values = { ...at, ...trust };
        const times = { createdAtMs: nowMs, updatedAtMs: nowMs };
        const saved =
          known === 0
            ? await rows.insertNode(trx, {
                ...columnsOf(place),
                ...values,
                enable: 1,
                seenAddress: place.address,
                ...times,
              })
            : known;
        if (known !== 0) {
          // Readings over the old connection do not apply to the new one.
          await rows.updateNode(trx, known, { ...values, status: 'unknown', updatedAtMs: nowMs });
          await redeliverAll(trx, known, nowMs);
        }
        await also(trx, saved);
        return saved;
      });
      endTrunk(id);
      await reload(id);
      return id;
    },

    /**
     * Records the address an enrolled node connected from, and where it says that it listens. A node that was dialled
     * where it was last is dialled there.
     */
    async noteAddress(id: number, address: string, place: Omit<Place, 'run'> | null): Promise<void> {
      const row = registry.get(id)?.row;
      if (row === undefined) return;
      const isOther = row.seenAddress !== address && address !== 'unknown';
      const followed = row.address === row.seenAddress ? { address, allowPrivateAddress: isInternal(address) } : {};
      const seen = isOther ? { seenAddress: address, ...followed } : {};
      const values = { ...seen, ...placeFollowed(row, place) };
      if (Object.keys(values).length === 0) return;
      await store.write((trx) => rows.updateNode(trx, id, values));
      await reload(id);
    },
  };
}

/** What changes in the row of a node that listens elsewhere; nothing the operator has entered. */
function placeFollowed(row: NodeRow, place: Omit<Place, 'run'> | null) {
  if (place === null || row.seenPlace === placeText(place)) return {};
  const { scheme, port, basePath } = place;
  const followed = row.seenPlace === placeText(row) ? { scheme, port, basePath } : {};
  return { seenPlace: placeText(place), ...followed };
}

const placeText = ({ scheme, port, basePath }: Pick<NodeRow, 'scheme' | 'port' | 'basePath'>): string =>
  `${scheme}:${port}${basePath}`;
const isInternal = (address: string): 0 | 1 => (classifyAddress(address) === 'public' ? 0 : 1);
