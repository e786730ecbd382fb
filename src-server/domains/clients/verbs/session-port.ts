import type * as z from 'zod';
import type { SessionChoice, SessionReport } from '../../traffic/contract.ts';

/** How client verbs end sessions that are open under credentials that no longer work. */
export interface SessionPort {
  /**
   * Ends them as far as the choice allows, the lower steps first, after the core has accepted the change.
   * @throws {DomainError} when a requested restart of the core failed
   */
  end(
    users: readonly { inboundId: number; emails: readonly string[] }[],
    choice: SessionChoice,
  ): Promise<z.infer<typeof SessionReport>>;
}
