import type { EventKind } from '../events/contract.ts';
import type { DirectoryRun } from './contract.ts';

const KINDS = { failed: 'directory.failed', held: 'directory.held', done: 'directory.resumed' } as const;

type News = { kind: EventKind; facts: Readonly<Record<string, string | number>> };

/** What is news of a run after the one before it; null when it came to the same, or when nothing was amiss. */
export function newsOf(before: DirectoryRun | null, run: DirectoryRun): News | null {
  if (run.outcome === (before?.outcome ?? 'done')) return null;
  const { outcome, counts, heldFor, failure } = run;
  const facts =
    outcome === 'failed'
      ? { error: failure?.reason ?? '', stage: failure?.stage ?? '' }
      : { ...counts, ...(heldFor !== null && { heldFor }) };
  return { kind: KINDS[outcome], facts };
}
