import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { listPlans, type Plan } from '#contract/plans';
import { keys } from '../../api/keys.ts';
import { useCall } from '../../api/transport-context.tsx';

/** Every plan, by name. */
export function usePlans(): UseQueryResult<Plan[]> {
  const call = useCall();
  return useQuery({ queryKey: keys.plans, queryFn: ({ signal }) => call(listPlans, {}, signal) });
}
