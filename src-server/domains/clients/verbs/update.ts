import { DomainError } from '../../../contract/domain-error.ts';
import { plansByIds } from '../../plans/repository.ts';
import { foldText } from '../../../store/fold-text.ts';
import type { WriteTransaction } from '../../../store/open-store.ts';
import type { RequestId, RunChange } from '../bulk/change-runner.ts';
import type { ChangeNotes, ClientInput } from '../contract.ts';
import { findClashes } from '../rules/identity-check.ts';
import { loadClients } from '../storage/load-clients.ts';
import { checkEmail, checkGroup, checkSubId } from '../rules/name-rules.ts';
import { ownersOfSubIds } from '../storage/repository-read.ts';
import { saveClients } from '../storage/save-clients.ts';
import type { ClientTrafficPort } from '../traffic-port.ts';
import { complete, credentialsOf, replaceValues, setFlow, type WorkingClient } from './working-client.ts';

export function createUpdate(run: RunChange, traffic: ClientTrafficPort, clock: () => number) {
  /**
   * Replaces a client; another e-mail in `input` renames it.
   * @param only attachments whose flow is replaced; null = all of them.
   * @throws {DomainError} `client.notFound`, `client.emailRequired`, `client.emailInvalid`, `client.subIdInvalid`, `client.groupInvalid`,
   *   `client.duplicateEmail`, `client.duplicateSubId`, `client.planUnknown`, `client.credentialTaken`
   */
  return async (
    email: string,
    input: ClientInput,
    only: ReadonlySet<number> | null,
    requestId: RequestId,
  ): Promise<ChangeNotes> => {
    if (input.email !== email) await traffic.settleSubjects([input.email]);
    const { notes } = await run(requestId, async (trx) => {
      const keys = [...new Set([foldText(email), foldText(input.email)])];
      const { clients } = await loadClients(trx, keys);
      const client = clients.get(foldText(email));
      if (client === undefined) throw new DomainError('client.notFound');
      await checkNames(trx, client, input, clients);
      await checkPlan(trx, client, input);

      replaceValues(client, input);
      client.values.email = input.email;
      setFlow(client, input.flow ?? '', only);
      const given = credentialsOf(client);
      complete(client);
      const [clash] = await findClashes(trx, [client], () => given);
      if (clash !== undefined) throw clash.error;
      return { changes: await saveClients(trx, [client], traffic, clock()), result: null };
    });
    return notes;
  };
}

/** The client's current plan may no longer exist. */
async function checkPlan(
  trx: WriteTransaction,
  { values }: WorkingClient,
  { planId = values.planId }: ClientInput,
): Promise<void> {
  if (planId === 0 || planId === values.planId || (await plansByIds(trx, [planId])).has(planId)) return;
  throw new DomainError('client.planUnknown', { id: planId });
}

/** Only changed values are checked, so a client with a name that predates today's rules stays editable. */
async function checkNames(
  trx: WriteTransaction,
  { stored, values }: WorkingClient,
  input: ClientInput,
  clients: ReadonlyMap<string, WorkingClient>,
): Promise<void> {
  if (input.email !== values.email) checkEmail(input.email);
  const subId = input.subId ?? '';
  const changesSubId = subId !== '' && subId !== values.subId;
  if (changesSubId) checkSubId(subId);
  if (input.group !== values.groupName) checkGroup(input.group ?? '', 'group');
  const namesake = clients.get(foldText(input.email))?.stored?.id;
  if (namesake !== undefined && namesake !== stored!.id)
    throw new DomainError('client.duplicateEmail', { email: input.email });
  if (changesSubId && (await ownersOfSubIds(trx, [subId])).length > 0)
    throw new DomainError('client.duplicateSubId', { subId });
}
