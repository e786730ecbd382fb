import type { ChangeNotes } from '../contract.ts';
import type { RequestId, RunChange } from '../bulk/change-runner.ts';
import { placeClients, type Placement } from './placing.ts';
import type { ClientTrafficPort } from '../traffic-port.ts';

/** @param onCreated receives the folded e-mails of new clients */
export function createAdd(
  run: RunChange,
  traffic: ClientTrafficPort,
  clock: () => number,
  onCreated: (keys: readonly string[]) => void,
) {
  /**
   * Creates a client on inbounds. An existing e-mail is attached if its subId is the same.
   * @throws {DomainError} `client.emailRequired`, `client.emailInvalid`, `client.subIdInvalid`, `client.groupInvalid`,
   *   `client.inboundRequired`, `client.emailTaken`, `client.subIdTaken`, `client.inboundUnknown`,
   *   `client.protocolWithoutClients`, `client.credentialTaken`
   */
  return async (placement: Placement, requestId: RequestId): Promise<ChangeNotes> => {
    await traffic.settleSubjects([placement.input.email]);
    const { result, notes } = await run(requestId, async (trx) => {
      const rules = { attachesExisting: true, allowsUnattached: false, emailTakenCode: 'client.emailTaken' } as const;
      const placed = await placeClients(trx, [placement], rules, { traffic, nowMs: clock() });
      const [error] = placed.errors;
      if (error !== null && error !== undefined) throw error;
      return { changes: placed.changes, result: placed.createdKeys };
    });
    onCreated(result);
    return notes;
  };
}
