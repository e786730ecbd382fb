import type * as z from 'zod';
import type { SessionChoice, SessionReport } from '../../traffic/contract.ts';

/** What client verbs need for sessions that are open under credentials that no longer work. */
export interface SessionPort {
  /**
   * Ends them as far as the choice says, the lower steps first, after the core has taken the change.
   * @throws {DomainError} when the core was to be restarted and could not be
   */
  end(
    users: readonly { inboundId: number; emails: readonly string[] }[],
    choice: SessionChoice,
  ): Promise<z.infer<typeof SessionReport>>;
}
