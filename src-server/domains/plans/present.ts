import { FLOWS } from '../clients/contract.ts';
import type { Plan } from './contract.ts';

/** A plan as stored. */
interface PlanRow {
  id: number;
  name: string;
  quotaBytes: number;
  days: number;
  startsAtFirstUse: 0 | 1;
  resetDays: number;
  resetDay: number;
  limitIp: number;
  groupName: string;
  flow: string;
  /** Ascending. */
  inboundIds: number[];
}

export function presentPlan(row: PlanRow, clientCount: number): Plan {
  return {
    id: row.id,
    name: row.name,
    quotaBytes: row.quotaBytes,
    days: row.days,
    startsAtFirstUse: row.startsAtFirstUse === 1,
    reset: row.resetDays,
    resetDay: row.resetDay,
    limitIp: row.limitIp,
    group: row.groupName,
    flow: FLOWS.find((flow) => flow === row.flow) ?? '',
    inboundIds: row.inboundIds,
    clientCount,
  };
}
