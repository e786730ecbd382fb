import { DomainError } from '../../../contract/domain-error.ts';
import { SessionReport } from '../../traffic/contract.ts';
import { isRefusal, type NodeClient } from '../node-client.ts';
import type { Delivery } from './push/delivery.ts';
import * as rows from './repository-endings.ts';

/** Clients disabled or removed here, and how far their open sessions on the node should be ended. */
export type Ending = Pick<rows.DueEnding, 'email' | 'how'>;

/**
 * Ends open sessions on the node. It cuts single connections itself when it receives a change; further steps affect
 * others and are taken only as requested here. A refusal by the node is accepted.
 * @throws {DomainError} when it is unreachable
 */
export async function endThere(client: NodeClient, endings: readonly Ending[]): Promise<void> {
  const byHow = Map.groupBy(endings, ({ how }) => how);
  for (const [how, named] of byHow) {
    const emails = named.map(({ email }) => email);
    try {
      if (how === 'asNeeded') await endAsNeeded(client, emails);
      else if (how !== 'leave') await end(client, emails, how);
    } catch (error) {
      const isItsWord = isRefusal(error) || (error instanceof DomainError && error.code === 'node.http');
      if (!isItsWord) throw error;
    }
  }
}

/** For clients whose change has been delivered. */
export async function endSessions({ store, nodeId, client, attempt }: Delivery): Promise<void> {
  const due = await rows.dueEndings(store.reader, nodeId);
  if (due.length === 0) return;
  await attempt(async () => {
    await endThere(client, due);
    await store.write((trx) => rows.noteEndings(trx, nodeId, due));
  });
}

const end = (client: NodeClient, emails: readonly string[], how: 'cut' | 'readd' | 'restart') =>
  client.call({ method: 'POST', path: 'clients/sessions/end', body: { emails, how }, result: SessionReport });

/** The mildest step that leaves no session open. */
async function endAsNeeded(client: NodeClient, emails: readonly string[]): Promise<void> {
  let report = await end(client, emails, 'cut');
  for (const how of ['readd', 'restart'] as const)
    if (report.leftCount > 0 && report.offers.includes(how)) report = await end(client, emails, how);
}
