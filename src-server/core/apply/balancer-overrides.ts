import type { Logger } from '../../contract/logger.ts';
import { CoreApiError } from '../api/api-error.ts';
import type { CoreApi } from '../api/core-api.ts';

/** The operator's choices for balancers. The core forgets them with every replacement of its rules and every restart. */
export interface BalancerOverrides {
  /** An empty target takes the choice back. @throws {CoreApiError} when the core refuses; nothing is remembered then */
  set(api: CoreApi, tag: string, target: string): Promise<void>;
  /** Gives all of them to the core again; what it does not take any more is forgotten. */
  reapply(api: CoreApi): Promise<void>;
}

export function createBalancerOverrides(log: Logger): BalancerOverrides {
  const chosen = new Map<string, string>();
  return {
    async set(api, tag, target) {
      await api.overrideBalancer(tag, target);
      if (target === '') chosen.delete(tag);
      else chosen.set(tag, target);
    },
    async reapply(api) {
      for (const [tag, target] of chosen) {
        try {
          await api.overrideBalancer(tag, target);
        } catch (error) {
          if (!(error instanceof CoreApiError)) throw error;
          // A core that ended meanwhile gets them at its next start.
          if (error.code === 'gone') return;
          chosen.delete(tag);
          log.warn('core.overrideLost', { tag, target, error: error.message });
        }
      }
    },
  };
}
