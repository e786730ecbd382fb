import type * as z from 'zod';
import type { SessionReport } from '../traffic/contract.ts';

/** What client verbs need for sessions that are open under credentials that no longer work. */
export interface SessionPort {
  /** Ends those that can be ended without touching anybody else, after the core has taken the change. */
  end(users: readonly { inboundId: number; emails: readonly string[] }[]): Promise<z.infer<typeof SessionReport>>;
}
