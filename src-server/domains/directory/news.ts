import type { EventKind } from '../events/contract.ts';
import type { DirectoryRun } from './contract.ts';

const KINDS = { failed: 'directory.failed', held: 'directory.held', done: 'directory.resumed' } as const;

type News = { kind: EventKind; facts: Readonly<Record<string, string | number>> };

/** News of a run compared with the one before; null when the result is the same, or nothing went wrong. */
export function newsOf(before: DirectoryRun | null, run: DirectoryRun): News | null {
  if (run.outcome === (before?.outcome ?? 'done')) return null;
  const { outcome, counts, heldFor, failure } = run;
  const facts =
    outcome === 'failed'
      ? {
          ...failure?.params,
          error: failure?.reason ?? '',
          errorCode: failure?.code ?? '',
          stage: failure?.stage ?? '',
        }
      : { ...counts, ...(heldFor !== null && { heldFor }) };
  return { kind: KINDS[outcome], facts };
}
