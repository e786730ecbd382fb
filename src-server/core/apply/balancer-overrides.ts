import type { Logger } from '../../contract/logger.ts';
import { CoreApiError } from '../api/api-error.ts';
import type { CoreApi } from '../api/core-api.ts';

/**
 * The operator's choices for balancers. They outlive every replacement of the core's rules, but no restart of the core.
 */
export function createBalancerOverrides(log: Logger) {
  const chosen = new Map<string, string>();
  const lost = new Map<string, string>();
  function lose(tag: string, target: string): void {
    chosen.delete(tag);
    lost.set(tag, target);
  }
  return {
    /** An empty target undoes the choice. @throws {CoreApiError} when the core refuses; nothing is remembered then */
    async set(api: CoreApi, tag: string, target: string): Promise<void> {
      await api.overrideBalancer(tag, target);
      lost.delete(tag);
      if (target === '') chosen.delete(tag);
      else chosen.set(tag, target);
    },
    /**
     * Applies all choices again after the core lost them with its rules; a choice it no longer accepts is forgotten.
     */
    async reapply(api: CoreApi): Promise<void> {
      for (const [tag, target] of chosen) {
        try {
          await api.overrideBalancer(tag, target);
        } catch (error) {
          if (!(error instanceof CoreApiError)) throw error;
          if (error.code === 'gone') return;
          lose(tag, target);
          log.warn('core.overrideLost', { tag, target, error: error.message });
        }
      }
    },
    /** A new core has none of them. */
    clear(): void {
      for (const [tag, target] of chosen) lose(tag, target);
    },
    /** Target that the balancer had until the core forgot it; empty = none, or the operator has chosen again since. */
    cleared: (tag: string): string => lost.get(tag) ?? '',
  };
}
export type BalancerOverrides = ReturnType<typeof createBalancerOverrides>;
