import { portInUse } from '../process/listen-places.ts';
import type { Session } from '../process/session.ts';
import { applyEverything } from './apply-everything.ts';
import { CompileError, type Compile } from './convert.ts';
import { boundToProcess, compareInbound, emptyChange, type LiveChange } from './compare/diff.ts';
import { compileChange, type CompiledChange } from './hot-apply.ts';
import { partsOf } from './compare/inbound-parts.ts';
import { forgetLeftOut } from './left-out.ts';
import { executeIn, type LiveDeps } from './live-deps.ts';
import { runningInbound } from './compare/snapshot.ts';
import { cannotListen, stepOfUsers, type Step } from './step.ts';
import { aloneConfig } from './tested-config.ts';
import { changeUsers } from './user-operations.ts';

/** For edits of an inbound itself; reads all of its clients. */
export async function applyInbound(deps: LiveDeps, session: Session, id: number): Promise<Step> {
  const { desired, builder, check, compile, lifecycle } = deps;
  const { snapshot, tagOf } = session;
  // While its port is taken, its clients need not be read and built to know that it cannot listen.
  const waiting = session.waiting.has(id) ? await desired.inboundUsers(id, []) : null;
  const inUse = waiting === null ? '' : await portInUse(waiting);
  if (waiting !== null && inUse !== '') {
    forgetLeftOut(session, [waiting.tag]);
    return cannotListen(session, waiting, inUse);
  }
  const source = await desired.inbound(id);
  const built = source === null ? { inbound: null, leftOut: [] } : await builder.inbound(source, lifecycle.version);
  const oldTag = tagOf.get(id);
  const running = oldTag === undefined ? undefined : snapshot.inbounds.get(oldTag);
  forgetLeftOut(session, [oldTag, source?.tag]);
  session.leftOut.push(...built.leftOut);
  session.waiting.delete(id);

  const inbound = built.inbound;
  if (inbound === null) {
    if (!running) return { kind: 'unchanged' };
    if (running.users.hasReverse) return { kind: 'restart', reason: `${running.tag}: reverse proxy` };
    await session.process.api.removeInbound(running.tag);
    snapshot.inbounds.delete(running.tag);
    tagOf.delete(id);
    return { kind: 'live' };
  }
  const parts = partsOf(inbound);
  const wanted = await runningInbound(parts);
  // Another inbound has this tag, or none has: only the whole config tells what to do.
  if (parts.tag === '' || (parts.tag !== running?.tag && snapshot.inbounds.has(parts.tag)))
    return applyEverything(deps, session);

  const change = emptyChange();
  if (running && running.tag === parts.tag) {
    const found = await compareInbound(running, parts, wanted);
    if (found.kind === 'same') return { kind: 'unchanged' };
    if (found.kind === 'restart') return found;
    if (found.kind === 'users') {
      return stepOfUsers(session, running.tag, await changeUsers(session.process.api, running, found.change));
    }
  }
  if (running) {
    const bound = running.tag === parts.tag ? '' : boundToProcess(running, wanted);
    if (bound !== '') return { kind: 'restart', reason: `${parts.tag}: ${bound}` };
    change.removeInbounds.push(running.tag);
  }
  change.addInbounds.push(inbound);
  const [refused, compiled] = await Promise.all([check(aloneConfig(inbound)), compiledOrRefused(compile, change)]);
  if (refused !== '' || 'refused' in compiled) {
    const reason = refused || ('refused' in compiled ? compiled.refused : '');
    session.leftOut.push({ kind: 'inbound', name: parts.tag, reason });
    return { kind: 'failed', text: reason, isRefused: true };
  }
  tagOf.delete(id);
  const { inbounds: failed } = await executeIn(deps, session, change, compiled);
  const [busy] = failed;
  if (busy) return cannotListen(session, { id, tag: busy.tag }, busy.text);
  snapshot.inbounds.set(parts.tag, wanted);
  tagOf.set(id, parts.tag);
  return { kind: 'live' };
}

async function compiledOrRefused(compile: Compile, change: LiveChange): Promise<CompiledChange | { refused: string }> {
  try {
    return await compileChange(compile, change);
  } catch (error) {
    if (error instanceof CompileError) return { refused: error.message };
    throw error;
  }
}
