import { applyPlan } from '#contract/plans';
import { keys } from '../../api/keys.ts';
import { useChange } from '../../api/use-change.ts';
import { useSaveWaits } from '../../ui/notices/save-waits.tsx';

/**
 * Applies a plan. `isHeld`: it is being applied, and its dialog stays open, as it would go on without one. A panel that
 * is gone ends nothing.
 */
export function useApplyPlan() {
  const apply = useChange(applyPlan, [keys.clients, keys.groups, keys.plans, keys.inbounds]);
  const isWaiting = useSaveWaits();
  return { ...apply, isHeld: apply.isPending && !isWaiting };
}
export type ApplyPlan = ReturnType<typeof useApplyPlan>;
