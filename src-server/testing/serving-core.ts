import { join } from 'node:path';
import { buildUsers } from '../core/config/inbound/inbound-config.ts';
import type { InboundSource } from '../core/config/source.ts';
import type { ConfigVerdict, CoreChange } from '../core/core.ts';
import { createCore, type CreateCoreOptions, type LocalCore } from '../core/create-core.ts';
import { countingCore, type CountingCore } from './counting-core.ts';

type UserEntries = Awaited<ReturnType<typeof buildUsers>>;

export interface ServingCore extends CountingCore, Omit<LocalCore, keyof CountingCore> {
  /** Its calls, in order. */
  applied: CoreChange[];
  /** Reasons for its restarts. */
  restarts: string[];
  /** Result of {@link LocalCore.test}. */
  verdict: ConfigVerdict;
  /** E-mails that it serves on this inbound, sorted; null when it does not serve the inbound. */
  users(inboundId: number): string[] | null;
  /** User entries as the config has them. */
  entries(inboundId: number): Promise<UserEntries>;
}

/**
 * A core without a process, with counters that a test moves. It holds users by inbound and applies changes exactly,
 * like the real one. Its first start never ends, so that only the test counts, enforces or polls.
 */
export function servingCore(options: CreateCoreOptions): ServingCore {
  const { desired, dataDir, clock } = options;
  const running = new Map<number, { source: InboundSource; emails: Set<string> }>();
  const counting = countingCore(clock);

  async function takeInbound(id: number): Promise<void> {
    const source = await desired.inbound(id);
    if (source === null) running.delete(id);
    else running.set(id, { source, emails: new Set(source.clients.map(({ email }) => email)) });
  }

  async function take({ inboundIds = [], users = [], everything = false }: CoreChange): Promise<void> {
    if (everything) {
      const { inbounds } = await desired.full();
      for (const id of new Set([...running.keys(), ...inbounds.map((inbound) => inbound.id)])) await takeInbound(id);
    }
    for (const id of inboundIds) await takeInbound(id);
    for (const { inboundId, emails } of users) {
      const served = running.get(inboundId);
      const source = await desired.inboundUsers(inboundId, emails);
      if (served === undefined || source === null) continue;
      for (const email of emails) served.emails.delete(email);
      for (const { email } of source.clients) served.emails.add(email);
    }
  }

  let hasRested = false;
  const own = {
    applied: [] as CoreChange[],
    restarts: [] as string[],
    verdict: { ok: true, text: '' } as ConfigVerdict,
    async boot() {
      if (!hasRested) await new Promise<void>(() => {});
      counting.start();
      await own.apply({ everything: true });
    },
    async rest() {
      hasRested = true;
      await own.close();
    },
    close: async () => {
      if (counting.status().state === 'running') await counting.stop();
    },
    test: async () => core.verdict,
    async apply(change: CoreChange) {
      core.applied.push(change);
      await take(change);
      return { kind: 'live' as const };
    },
    async restart(reason: string) {
      core.restarts.push(reason);
      await own.close();
      counting.start();
    },
    users(inboundId: number) {
      const served = running.get(inboundId);
      return served === undefined ? null : [...served.emails].sort();
    },
    async entries(inboundId: number): Promise<UserEntries> {
      const source = await desired.inbound(inboundId);
      return source === null ? [] : buildUsers(source);
    },
  };
  const machine = createCore({ ...options, binary: join(dataDir, 'no-such-core') });
  const core: ServingCore = Object.assign(counting, { ...machine, ...counting, ...own });
  return core;
}
