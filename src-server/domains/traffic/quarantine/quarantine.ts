import type * as z from 'zod';
import type { Basics } from '../../basics.ts';
import { panelOfSource } from '../ledger/source-guid.ts';
import { DomainError } from '../../../contract/domain-error.ts';
import type { WriteTransaction } from '../../../store/open-store.ts';
import type { QuarantinedDelta } from '../contract.ts';
import {
  creditQuarantined,
  dropQuarantined,
  quarantinedBefore,
  quarantinedById,
  type Quarantined,
} from './repository-quarantine.ts';

const PAGE = 200;

export type QuarantineDeps = Pick<Basics, 'store' | 'clock' | 'publish' | 'log'>;

/** Deltas too large to be plausible, kept until an operator decides. */
export function createQuarantine({ store, clock, publish, log }: QuarantineDeps) {
  async function settle(id: number, work: (trx: WriteTransaction, delta: Quarantined) => Promise<void>, how: string) {
    const delta = await store.write(async (trx) => {
      const found = await quarantinedById(trx, id);
      if (found === null) throw new DomainError('traffic.quarantineUnknown', { id });
      await work(trx, found);
      await dropQuarantined(trx, id);
      return found;
    });
    log.info('traffic.quarantineSettled', { how, kind: delta.kind, subject: delta.subject });
    return present(delta);
  }

  return {
    /** Newest first. @param before id of the last one seen. */
    list: async (before: number | undefined) =>
      (await quarantinedBefore(store.reader, before ?? Number.MAX_SAFE_INTEGER, PAGE)).map(present),
    /**
     * Accepts the delta and counts it.
     * @throws {DomainError} `traffic.quarantineUnknown`, `traffic.quarantineOwnerGone`
     */
    async credit(id: number) {
      const credited = await settle(
        id,
        async (trx, delta) => {
          if (delta.owner === null) throw new DomainError('traffic.quarantineOwnerGone', { subject: delta.subject });
          await creditQuarantined(trx, delta, clock());
        },
        'credited',
      );
      publish({ type: 'invalidate', resource: credited.kind === 'user' ? 'clients' : `${credited.kind}s` });
      return credited;
    },
    /** Dismisses it for good. @throws {DomainError} `traffic.quarantineUnknown` */
    dismiss: (id: number) => settle(id, async () => {}, 'dismissed'),
  };
}
export type QuarantineService = ReturnType<typeof createQuarantine>;

function present(delta: Quarantined): z.input<typeof QuarantinedDelta> {
  const { id, atMs, kind, subject, guid, upBytes, downBytes, intervalMs, owner } = delta;
  return {
    id,
    at: atMs,
    kind,
    subject,
    owner,
    guid: panelOfSource(guid),
    up: upBytes,
    down: downBytes,
    interval: intervalMs,
  };
}
