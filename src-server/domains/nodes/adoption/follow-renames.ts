import { foldText } from '../../../store/fold-text.ts';
import type { WriteTransaction } from '../../../store/open-store.ts';
import type { Reported, ReportedInbound, TakeOverDeps } from '../sync/reported.ts';
import { entriesReported } from '../sync/follow/follow-entries.ts';
import * as rows from './repository-adopt.ts';

/**
 * A client that was renamed on the node stays the same client: its subscription is known here, and the node does not tell of its
 * old name any more. What it counts goes on from where it was. While a change of it is on its way there the name here wins.
 * @throws {DomainError} the new name cannot be had here; the client keeps the one it has
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
    const note = (trx: WriteTransaction): Promise<void> =>
      rows.noteRemoteName(trx, nodeId, clientId, { email: reportedEmail, emailKey: foldText(reportedEmail) });
    if (isWaiting === 1) await store.write(note);
    else await rename(email, reportedEmail, note);
  }
}
