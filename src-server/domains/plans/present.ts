import { FLOWS } from '../clients/contract.ts';
import type { Plan } from './contract.ts';
import type { StoredPlan } from './repository.ts';

export function presentPlan(row: StoredPlan, clientCount: number): Plan {
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
