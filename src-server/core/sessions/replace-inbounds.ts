import { CoreApiError, isApiError } from '../api/api-error.ts';
import { compileChange, executeChange } from '../apply/hot-apply.ts';
import { emptyChange } from '../apply/compare/diff.ts';
import { partsOf } from '../apply/compare/inbound-parts.ts';
import { runningInbound } from '../apply/compare/snapshot.ts';
import type { Compile } from '../apply/convert.ts';
import type { DesiredState } from '../core.ts';
import type { Lifecycle } from '../process/lifecycle/lifecycle.ts';
import type { ConfigBuilder, Session } from '../process/session.ts';

export interface ReplaceInboundsDeps {
  lifecycle: Lifecycle;
  desired: DesiredState;
  builder: ConfigBuilder;
  compile: Compile;
}

/** What became of the inbounds: `restarted` when the core refused and was restarted instead. */
export type Replaced = 'replaced' | 'restarted' | 'notRunning';

/**
 * Removes running inbounds from the core and adds them again as they should be. That ends every session of a QUIC or
 * WireGuard inbound; connections of the TCP protocols go on.
 */
export function createReplaceInbounds({ lifecycle, desired, builder, compile }: ReplaceInboundsDeps) {
  async function replace(session: Session, id: number): Promise<void> {
    const tag = session.tagOf.get(id);
    const running = tag === undefined ? undefined : session.snapshot.inbounds.get(tag);
    if (tag === undefined || running === undefined) return;
    const source = await desired.inbound(id);
    const inbound = source === null ? null : (await builder.inbound(source, lifecycle.version)).inbound;
    // An inbound that should no longer run, or runs under another tag, is a separate change about to be applied.
    if (inbound === null || partsOf(inbound).tag !== tag) return;
    const change = { ...emptyChange(), removeInbounds: [tag], addInbounds: [inbound] };
    const compiled = await compileChange(compile, change);
    const wanted = await runningInbound(partsOf(inbound));
    const { inbounds: failed } = await executeChange(
      session.process.api,
      session.snapshot,
      change,
      compiled,
      () => lifecycle.isClosed,
    );
    if (failed.length > 0) throw new CoreApiError('cannotListen', failed[0]!.text);
    session.snapshot.inbounds.set(tag, wanted);
  }

  return (inboundIds: readonly number[]): Promise<Replaced> =>
    lifecycle.inLine(async () => {
      const { session } = lifecycle;
      if (session === null) return 'notRunning';
      try {
        for (const id of new Set(inboundIds)) await replace(session, id);
        return 'replaced';
      } catch (error) {
        if (!(error instanceof CoreApiError)) throw error;
        if (isApiError(error, 'gone')) return 'notRunning';
        await lifecycle.restartLocked('an inbound could not be added again');
        return 'restarted';
      }
    });
}
