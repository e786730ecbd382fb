import type { Row } from '../../store/schema.ts';
import { FLOWS } from '../clients/contract.ts';
import type { Plan } from './contract.ts';

/** A plan as stored; `inboundIds` are sorted. */
export type StoredPlan = Row<'clientPlans'> & { inboundIds: number[] };

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
