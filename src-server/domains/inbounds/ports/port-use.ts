import { DomainError } from '../../../contract/domain-error.ts';
import type { InboundServiceDeps } from '../dependencies.ts';
import { isSocketPath } from '../../../core/config/inbound/listen-address.ts';
import type { TemplateListener } from '../../../core/config/template/template-inbounds.ts';
import { allInbounds } from '../repository.ts';
import { nameOf, requireFreeAmongInbounds, requireNotReservedByCore } from './place-check.ts';
import type { Listener, Transport } from './port-conflicts.ts';

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
  const placeOf = (listen: string, port: number, transports: readonly Transport[] = ['tcp']): Listener => ({
    listen,
    port,
    nodeId: null,
    serverId: null,
    transports,
  });

  async function requireFreeForCore(listen: string, port: number, transports?: readonly Transport[]): Promise<void> {
    const place = placeOf(listen, port, transports);
    await requireFreeAmongInbounds(store.reader, place, 0);
    if (isSocketPath(listen) || !place.transports.includes('tcp')) return;
    const panel = reservedPorts().find((reserved) => reserved.port === port);
    if (panel !== undefined) throw new DomainError('inbound.portOfPanel', { port, use: panel.use });
  }

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
    requireFreeForCore,

    /**
     * For an inbound of the core template.
     * @throws {DomainError} `inbound.tagTaken`, `inbound.portTaken`, `inbound.portOfPanel`, with the field
     */
    async requireFreeForTemplate({ index, tag, listen, transports, covers }: TemplateListener): Promise<void> {
      const rows = (await allInbounds(store.reader)).filter(({ nodeId }) => nodeId === null);
      const named = rows.find((row) => tag !== '' && row.tag === tag);
      if (named !== undefined) {
        const params = { tag, name: nameOf(named) };
        throw new DomainError('inbound.tagTaken', params, { field: `inbounds[${index}].tag` });
      }
      const isSocket = isSocketPath(listen);
      const ports = [...rows, ...reservedPorts()].map(({ port }) => port).filter(covers);
      for (const port of isSocket ? [0] : new Set(ports)) {
        try {
          await requireFreeForCore(listen, port, transports);
        } catch (error) {
          if (!(error instanceof DomainError)) throw error;
          const field = `inbounds[${index}].${isSocket ? 'listen' : 'port'}`;
          throw new DomainError(error.code, error.params, { field, cause: error });
        }
      }
    },
  };
}
