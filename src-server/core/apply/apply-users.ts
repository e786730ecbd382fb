import { createTimeSlices } from '../../time-slices.ts';
import type { InboundSource, JsonObject } from '../config/source.ts';
import type { Session } from '../process/session.ts';
import { applyInbound } from './apply-inbound.ts';
import { sectionKey } from './compare/content-key.ts';
import { compareEntry, entryHasReverse, isSingleUserSwitch } from './compare/diff.ts';
import { partsOf, textOf } from './compare/inbound-parts.ts';
import { noteClients } from './left-out.ts';
import type { LiveDeps } from './live-deps.ts';
import type { RunningInbound } from './compare/snapshot.ts';
import { stepOfUsers, type Step } from './step.ts';
import { changeUsers } from './user-operations.ts';

/** The hot path: its work depends on the number of e-mails, not on the number of clients. */
export async function applyUsers(
  deps: LiveDeps,
  session: Session,
  inboundId: number,
  emails: readonly string[],
): Promise<Step> {
  const { desired, builder, lifecycle } = deps;
  const tag = session.tagOf.get(inboundId);
  const running = tag === undefined ? undefined : session.snapshot.inbounds.get(tag);
  // No client makes its port free. When it is tried again, all of its clients are read.
  const waiting = session.waiting.get(inboundId);
  if (waiting !== undefined) return { kind: 'failed', text: waiting, isRefused: true };
  // Not running, for instance because this is the first user of a 2022 inbound, which makes it run. One without a list
  // of users has its only one among its settings.
  if (!running?.isAddressable || running.kind === 'none') return applyInbound(deps, session, inboundId);
  const source = await desired.inboundUsers(inboundId, emails);
  const built = source === null ? null : await builder.inbound(source, lifecycle.version);
  if (source === null || built === null || !hasSameFrame(source, built.inbound, running))
    return applyInbound(deps, session, inboundId);
  noteClients(session, running.tag, emails, built.leftOut);

  const change = { tag: running.tag, remove: [] as string[], add: [] as JsonObject[] };
  const wanted = new Set<string>();
  const slices = createTimeSlices();
  for (const { email, entry } of await builder.users(source)) {
    wanted.add(email.toLowerCase());
    compareEntry(running.users, entry, change);
    if (slices.isOver()) await slices.next();
  }
  for (const email of new Set(emails.map((name) => name.toLowerCase()))) {
    if (!wanted.has(email) && running.users.has(email)) change.remove.push(running.users.spelling(email));
  }
  if (change.add.length === 0 && change.remove.length === 0) return { kind: 'unchanged' };
  if (running.users.hasReverse || entryHasReverse(change))
    return { kind: 'restart', reason: `${running.tag}: reverse proxy` };
  const added = change.add.filter((entry) => !running.users.has(textOf(entry.email))).length;
  const gone = change.remove.length - (change.add.length - added);
  if (isSingleUserSwitch(running, running.users.size + added - gone)) return applyInbound(deps, session, inboundId);
  return stepOfUsers(session, running.tag, await changeUsers(session.process.api, running, change));
}

/** The running inbound decides the account kind; when the stored inbound has another kind, it is replaced first. */
function hasSameFrame(source: InboundSource, inbound: JsonObject | null, running: RunningInbound): boolean {
  // Without a user some inbounds are not emitted at all; removals need no account.
  if (inbound === null) return source.clients.length === 0;
  return sectionKey(partsOf(inbound).frame) === running.frameKey;
}
