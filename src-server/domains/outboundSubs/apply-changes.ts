import { announce } from '../../contract/announce.ts';
import type { Publish } from '../../contract/events.ts';
import type { Logger } from '../../contract/logger.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Store, WriteTransaction } from '../../store/open-store.ts';

/** Who requested a change. */
export interface Requester {
  requestId: string;
  /** Called when the change required a restart of the running core. */
  onRestart(): void;
}

/** Brings stored changes of subscriptions to the running core, and announces them. */
export function createApplyChanges({
  store,
  runtime,
  publish,
  log,
}: {
  store: Pick<Store, 'write'>;
  runtime: Pick<Runtime, 'stage' | 'apply'>;
  publish: Publish;
  log: Logger;
}) {
  const announceOutbounds = ({ requestId }: Pick<Requester, 'requestId'> = { requestId: '' }): void =>
    announce(publish, ['outbounds'], requestId);

  async function reload(requester?: Requester): Promise<void> {
    const { core } = await runtime.apply({ everything: true });
    if (core.kind === 'restarted') requester?.onRestart();
    if (core.kind === 'failed') log.warn('outboundSubs.notApplied', { text: core.text });
  }

  /** @param work returns whether the running core has to be updated */
  async function change(requester: Requester, work: (trx: WriteTransaction) => Promise<boolean>): Promise<''> {
    const hasChanged = await store.write(async (trx) => {
      const isRunning = await work(trx);
      if (isRunning) await runtime.stage(trx, { everything: true });
      return isRunning;
    });
    if (hasChanged) await reload(requester);
    announceOutbounds(requester);
    return '';
  }

  return { announce: announceOutbounds, reload, change };
}
