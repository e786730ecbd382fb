import { buildUsers } from '../core/config/inbound-config.ts';
import type { InboundSource } from '../core/config/source.ts';
import type { CoreChange, DesiredState } from '../core/core.ts';
import type { Change, Runtime } from '../runtime/runtime.ts';
import type { WriteTransaction } from '../store/open-store.ts';

/**
 * Runtime with a core that holds users by inbound and does exactly what it is told, as the real one: a change that nobody
 * reports is not in it, and neither is anything of a node's inbounds.
 */
export function servingRuntime(desired: Pick<DesiredState, 'inbound' | 'inboundUsers'>, restart: () => Promise<void>) {
  const running = new Map<number, { source: InboundSource; emails: Set<string> }>();
  const staged: Change[] = [];

  async function takeInbound(id: number): Promise<void> {
    const source = await desired.inbound(id);
    if (source === null) running.delete(id);
    else running.set(id, { source, emails: new Set(source.clients.map(({ email }) => email)) });
  }

  async function take({ inboundIds = [], users = [] }: CoreChange): Promise<void> {
    for (const id of inboundIds) await takeInbound(id);
    for (const { inboundId, emails } of users) {
      const served = running.get(inboundId);
      const source = await desired.inboundUsers(inboundId, emails);
      if (served === undefined || source === null) continue;
      for (const email of emails) served.emails.delete(email);
      for (const { email } of source.clients) served.emails.add(email);
    }
  }

  const restarts: string[] = [];
  const runtime: Runtime = {
    stage: async (_trx: WriteTransaction, change: Change) => void staged.push(change),
    async apply(change) {
      await take(change);
      return { core: { kind: 'live' }, nodePending: false };
    },
    testInbound: async () => ({ ok: true, text: '' }),
    testTemplate: async () => ({ ok: true, text: '' }),
    async restartCore(reason) {
      restarts.push(reason);
      await restart();
    },
    reservedPorts: () => [],
  };
  return {
    ...runtime,
    /** What transactions said about nodes and the core, in order. */
    staged,
    restarts,
    /** E-mails the core serves on this inbound, sorted; null when it does not serve the inbound. */
    users: (inboundId: number): string[] | null => {
      const served = running.get(inboundId);
      return served === undefined ? null : [...served.emails].sort();
    },
    /** User entries as the config of the core has them. */
    async entries(inboundId: number) {
      const source = await desired.inbound(inboundId);
      return source === null ? [] : buildUsers(source);
    },
  };
}
