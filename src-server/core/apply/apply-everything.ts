import { listenText } from '../api/endpoint.ts';
import type { InboundSource, LeftOut } from '../config/source.ts';
import { withoutCulprits } from '../process/output/culprits.ts';
import { tagsOf, type Session } from '../process/session.ts';
import { boundToProcess, difference, type Difference } from './compare/diff.ts';
import { compileChange } from './hot-apply.ts';
import { executeIn, type LiveDeps } from './live-deps.ts';
import { snapshotOf, type Snapshot } from './compare/snapshot.ts';
import { stepOfFailures, type Step } from './step.ts';
import { needsTest, thinConfig, withoutSame } from './tested-config.ts';

/** Compares the whole stored configuration with the running one, and makes the difference. */
export async function applyEverything(deps: LiveDeps, session: Session): Promise<Step> {
  const { desired, builder, compile, logDir, lifecycle, check, overrides } = deps;
  const source = await desired.full();
  const built = await builder.full(source, {
    apiListen: listenText(session.process.endpoint),
    logFolder: logDir,
    coreVersion: lifecycle.version,
  });
  let config = built.config;
  let next = await snapshotOf(config);
  let found: Difference =
    renamedAndBound(session, source.inbounds, next) ?? (await difference(session.snapshot, config, next));
  const leftOut: LeftOut[] = [...built.leftOut];
  let refused = '';
  if (found.kind === 'live' && needsTest(found.change)) {
    const thin = thinConfig(config, found.change);
    const reason = await check(thin);
    if (reason !== '') {
      const reduced = await withoutCulprits(thin, reason, check);
      if (reduced.reason !== '') return { kind: 'failed', text: reduced.reason, isRefused: true };
      refused = reduced.leftOut.map(({ name, reason: why }) => `${name}: ${why}`).join('\n');
      leftOut.push(...reduced.leftOut);
      config = withoutSame(config, reduced.config);
      next = await snapshotOf(config);
      found = await difference(session.snapshot, config, next);
    }
  }
  if (found.kind === 'restart') return found;
  if (found.kind === 'none') {
    accept(session, next, tagsOf(source, next), leftOut);
    return refused === '' ? { kind: 'unchanged' } : { kind: 'failed', text: refused, isRefused: true };
  }
  const compiled = await compileChange(compile, found.change);
  const failures = await executeIn(deps, session, found.change, compiled);
  if (found.change.routing !== null) await overrides.reapply(session.process.api);
  for (const { tag } of found.change.users) {
    const kept = session.snapshot.inbounds.get(tag);
    // Its table was changed along with the core, including the failures.
    if (kept) next.inbounds.set(tag, kept);
  }
  const isElseMade = refused === '' && failures.users.length === 0;
  for (const { tag, text } of failures.inbounds) {
    next.inbounds.delete(tag);
    leftOut.push({ kind: 'inbound', name: tag, reason: text });
    refused = [refused, `${tag}: ${text}`].filter((part) => part !== '').join('\n');
  }
  const waiting = new Map<number, string>();
  for (const { id, tag } of source.inbounds) {
    const busy = failures.inbounds.find((failed) => failed.tag === tag);
    if (busy !== undefined) waiting.set(id, busy.text);
  }
  accept(session, next, tagsOf(source, next), leftOut, waiting);
  const step = stepOfFailures(session, '', failures.users);
  return refused === '' || step.kind === 'failed'
    ? step
    : { kind: 'failed', text: refused, isRefused: true, isElseMade };
}

function accept(
  session: Session,
  snapshot: Snapshot,
  tagOf: Map<number, string>,
  leftOut: LeftOut[],
  waiting = new Map<number, string>(),
): void {
  session.snapshot = snapshot;
  session.tagOf = tagOf;
  session.leftOut = leftOut;
  session.waiting = waiting;
}

/** An inbound that now runs under another tag and may only change with the process. */
function renamedAndBound(session: Session, wanted: readonly InboundSource[], next: Snapshot): Difference | null {
  for (const { id, tag } of wanted) {
    const oldTag = session.tagOf.get(id);
    if (oldTag === undefined || oldTag === tag) continue;
    const [before, after] = [session.snapshot.inbounds.get(oldTag), next.inbounds.get(tag)];
    const reason = before && after ? boundToProcess(before, after) : '';
    if (reason !== '') return { kind: 'restart', reason: `${tag}: ${reason}` };
  }
  return null;
}
