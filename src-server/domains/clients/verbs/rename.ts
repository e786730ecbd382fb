import { DomainError } from '../../../contract/domain-error.ts';
import { foldText } from '../../../store/fold-text.ts';
import type { WriteTransaction } from '../../../store/open-store.ts';
import type { RunChange } from '../bulk/change-runner.ts';
import { checkEmail } from '../rules/name-rules.ts';
import { loadClients } from '../storage/load-clients.ts';
import { saveClients } from '../storage/save-clients.ts';
import type { ClientTrafficPort } from '../traffic-port.ts';

/** Renames a client and leaves everything else unchanged. */
export type RenameClient = (
  email: string,
  to: string,
  /** Records to write in the same transaction. */
  beside: (trx: WriteTransaction) => Promise<void>,
) => Promise<void>;

/** @throws {DomainError} `client.notFound`, `client.emailRequired`, `client.emailInvalid`, `client.duplicateEmail` */
export function createRename(run: RunChange, traffic: ClientTrafficPort, clock: () => number): RenameClient {
  return async (email, to, beside) => {
    await traffic.settleSubjects([to]);
    await run('', async (trx) => {
      const { clients } = await loadClients(trx, [foldText(email), foldText(to)]);
      const client = clients.get(foldText(email));
      if (client === undefined) throw new DomainError('client.notFound');
      checkEmail(to);
      if (clients.has(foldText(to))) throw new DomainError('client.duplicateEmail', { email: to });
      await beside(trx);
      client.values.email = to;
      return { changes: await saveClients(trx, [client], traffic, clock()), result: null };
    });
  };
}
