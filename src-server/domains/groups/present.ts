import type { Group } from './contract.ts';

interface Sums {
  name: string;
  clientCount: number;
  upBytes: number;
  downBytes: number;
}

interface Baseline {
  upBaselineBytes: number;
  downBaselineBytes: number;
}

/** Never below zero: a member that moved to another group took its whole usage along. */
export function presentGroup(sums: Sums, { upBaselineBytes, downBaselineBytes }: Baseline): Group {
  const up = Math.max(0, sums.upBytes - upBaselineBytes);
  const down = Math.max(0, sums.downBytes - downBaselineBytes);
  return { name: sums.name, clientCount: sums.clientCount, trafficUsed: up + down, up, down };
}
