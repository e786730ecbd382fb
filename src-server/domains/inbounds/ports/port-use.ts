import { DomainError } from '../../../contract/domain-error.ts';
import type { InboundServiceDeps } from '../dependencies.ts';
import { requireFreeAmongInbounds, requireNotReservedByCore } from './place-check.ts';
import type { Listener } from './port-conflicts.ts';

export interface PortUseDeps extends Pick<
  InboundServiceDeps,
  'store' | 'runtime' | 'reservedPorts' | 'findForeignUse'
> {
  /** `metrics.listen` of the core template; empty without one. */
  metricsPort: () => Promise<number | null>;
}

/**
 * Whether anything other than an inbound may use a TCP port of this machine: the panel's servers, the core's metrics.
 */
export function createPortUse(deps: PortUseDeps) {
  const { store, runtime, reservedPorts, findForeignUse } = deps;
  const placeOf = (listen: string, port: number): Listener => ({
    listen,
    port,
    nodeId: null,
    serverId: null,
    transports: ['tcp'],
  });

  return {
    /**
     * For a server of the panel.
     * @throws {DomainError} `inbound.portTaken`, `inbound.portOfCore`, `inbound.portForeign`
     */
    async requireFreeForPanel(listen: string, port: number): Promise<void> {
      const place = placeOf(listen, port);
      await requireFreeAmongInbounds(store.reader, place, 0);
      requireNotReservedByCore(runtime, place);
      if ((await deps.metricsPort()) === port)
        throw new DomainError('inbound.portOfCore', { port, use: 'core metrics' });
      // A port that one of the panel's own servers is leaving will be free by then.
      if (reservedPorts().some((reserved) => reserved.port === port)) return;
      const transport = await findForeignUse(listen, port, ['tcp']);
      if (transport !== null) throw new DomainError('inbound.portForeign', { port, transport });
    },

    /**
     * For a listener of the core itself.
     * @throws {DomainError} `inbound.portTaken`, `inbound.portOfPanel`
     */
    async requireFreeForCore(listen: string, port: number): Promise<void> {
      await requireFreeAmongInbounds(store.reader, placeOf(listen, port), 0);
      const panel = reservedPorts().find((reserved) => reserved.port === port);
      if (panel !== undefined) throw new DomainError('inbound.portOfPanel', { port, use: panel.use });
    },
  };
}
