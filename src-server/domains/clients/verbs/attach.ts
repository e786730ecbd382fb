import { DomainError } from '../../../contract/domain-error.ts';
import { foldText } from '../../../store/fold-text.ts';
import type { RequestId, RunChange } from '../bulk/change-runner.ts';
import type { ChangeNotes } from '../contract.ts';
import { findClashes } from '../rules/identity-check.ts';
import { loadClients } from '../storage/load-clients.ts';
import { knownInbound } from './placing.ts';
import { saveClients } from '../storage/save-clients.ts';
import type { ClientTrafficPort } from '../traffic-port.ts';
import { attach, complete, credentialsOf, detach, flowOf } from './working-client.ts';

export function createAttach(run: RunChange, traffic: ClientTrafficPort, clock: () => number) {
  /**
   * Attaches a client to more inbounds, with its credentials, and its flow where they can carry it.
   * @throws {DomainError} `client.notFound`, `client.inboundRequired`, `client.inboundUnknown`,
   *   `client.protocolWithoutClients`, `client.credentialTaken`
   */
  return async (email: string, inboundIds: readonly number[], requestId: RequestId): Promise<ChangeNotes> => {
    const { notes } = await run(requestId, async (trx) => {
      if (inboundIds.length === 0) throw new DomainError('client.inboundRequired');
      const { clients, inbounds } = await loadClients(trx, [foldText(email)], inboundIds);
      const client = clients.get(foldText(email));
      if (client === undefined) throw new DomainError('client.notFound');
      const flow = flowOf(client);
      for (const id of inboundIds) attach(client, knownInbound(inbounds, id), flow);
      const given = credentialsOf(client);
      complete(client);
      const [clash] = await findClashes(trx, [client], () => given);
      if (clash !== undefined) throw clash.error;
      return { changes: await saveClients(trx, [client], traffic, clock()), result: null };
    });
    return notes;
  };
}

export function createDetach(run: RunChange, traffic: ClientTrafficPort, clock: () => number) {
  /**
   * Detaches a client from inbounds; those it is not attached to are skipped. Client and counters stay.
   * @throws {DomainError} `client.notFound`, `client.inboundRequired`
   */
  return async (email: string, inboundIds: readonly number[], requestId: RequestId): Promise<ChangeNotes> => {
    const { notes } = await run(requestId, async (trx) => {
      if (inboundIds.length === 0) throw new DomainError('client.inboundRequired');
      const { clients } = await loadClients(trx, [foldText(email)]);
      const client = clients.get(foldText(email));
      if (client === undefined) throw new DomainError('client.notFound');
      for (const id of inboundIds) if (client.links.has(id)) detach(client, id);
      return { changes: await saveClients(trx, [client], traffic, clock()), result: null };
    });
    return notes;
  };
}
