import type { Reason } from '../../contract/envelope.ts';
import type { ImportKind, ImportPlan } from './contract.ts';
import { LEFT_OUT_KINDS, type LeftOutKind } from './left-out.ts';

/** Most names in a list, and of each kind that cannot come; the counts are complete. */
const MAX_NAMES = 500;

/** Collects what will be imported and what will not. */
export function createPlan(kind: ImportKind, version: number) {
  const counts: ImportPlan['counts'] = {
    inbounds: 0,
    clients: 0,
    attachments: 0,
    groups: 0,
    hosts: 0,
    externalLinks: 0,
    settings: 0,
    apiTokens: 0,
  };
  const willCome: ImportPlan['willCome'] = [];
  const cannotCome: ImportPlan['cannotCome'] = [];
  /** Thousands of clients that lose something hide nothing else. */
  const listed: Partial<Record<LeftOutKind, number>> = {};
  return {
    counts,
    comes(what: keyof ImportPlan['counts'], name: string): void {
      counts[what] += 1;
      if (willCome.length < MAX_NAMES) willCome.push({ what, name });
    },
    cannot(kind: LeftOutKind, name: string, reason: Reason): void {
      const count = (listed[kind] = (listed[kind] ?? 0) + 1);
      if (count <= MAX_NAMES) cannotCome.push({ what: LEFT_OUT_KINDS[kind], kind, name, ...reason });
    },
    finish: (settingsKept: readonly string[]): ImportPlan => ({
      kind,
      version,
      counts,
      willCome,
      cannotCome,
      certificates: 'none',
      settingsKept: [...settingsKept],
    }),
  };
}
export type PlanBuilder = ReturnType<typeof createPlan>;
