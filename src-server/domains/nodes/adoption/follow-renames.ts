import { foldText } from '../../../store/fold-text.ts';
import type { WriteTransaction } from '../../../store/open-store.ts';
import type { Reported, ReportedInbound, TakeOverDeps } from '../sync/reported.ts';
import { entriesReported } from '../sync/follow/follow-entries.ts';
import * as rows from './repository-adopt.ts';

/**
 * Follows a rename made on the node. The client stays the same: its subscription is known here, and the node no longer
 * reports its old name. Its counters continue. While a change of the client is pending delivery, the name here wins.
 * Where edits are only shown, only a name that was sent from here is taken over.
 * @throws {DomainError} the new name is not available here; the client keeps its name
 */
export async function followRenames(
  { store, rename }: Pick<TakeOverDeps, 'store' | 'rename'>,
  reported: Reported,
  inbound: ReportedInbound,
): Promise<void> {
  const nodeId = reported.row.id;
  const { entries } = entriesReported(reported, inbound);
  const named = entries.flatMap(({ email, subId }) =>
    typeof email === 'string' && typeof subId === 'string' && subId !== '' ? [{ email, subId }] : [],
  );
  const there = new Set([...reported.snapshot.counters.emailKeys, ...named.map(({ email }) => foldText(email))]);
  for (const { clientId, email, emailKey, reportedEmail, isWaiting } of await rows.namedOtherwise(
    store.heavyReader,
    nodeId,
    named.map((each) => ({ ...each, emailKey: foldText(each.email) })),
  )) {
    if (there.has(emailKey)) continue;
    // Sent from here, but the response was lost.
    const isSent = isWaiting === 1 && foldText(email) === foldText(reportedEmail);
    if (reported.row.remoteEdits === 'show' && !isSent) continue;
    const note = (trx: WriteTransaction): Promise<void> =>
      rows.noteRemoteName(trx, nodeId, clientId, { email: reportedEmail, emailKey: foldText(reportedEmail) });
    if (isWaiting === 1) await store.write(note);
    else await rename(email, reportedEmail, note);
  }
}
