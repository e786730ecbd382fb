import type { UseQueryResult } from '@tanstack/react-query';
import { listPlans, type Plan } from '#contract/plans';
import { keys } from '../../api/keys.ts';
import { useRead } from '../../api/use-read.ts';

/** All plans, sorted by name. */
export function usePlans(): UseQueryResult<Plan[]> {
  return useRead(listPlans, {}, keys.plans);
}
