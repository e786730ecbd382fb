import type { Basics } from '../../basics.ts';
import type { DomainError } from '../../../contract/domain-error.ts';
import { refusalOf } from '../sync/refusal.ts';
import type { Enrolment } from './contract.ts';

/** A larger clock difference breaks certificates, one-time codes and some client protocols. */
const CLOCK_TOLERANCE_MS = 60_000;

/** A host that connects with a ticket. */
export interface Applicant {
  address: string;
  /** Its clock in ms; null = not reported. */
  dateMs: number | null;
}

interface AttemptDeps extends Pick<Basics, 'clock' | 'publish'> {
  textOf: (error: DomainError) => string;
}

/** How the last attempt with each ticket went; open pages are told of each. */
export function createAttempts({ clock, publish, textOf }: AttemptDeps) {
  /** In memory: the reason of a rejection matters only while the page is open. */
  const attempts = new Map<string, NonNullable<Enrolment['attempt']>>();

  return {
    /** The last attempt with this ticket; null = none since the panel has started. */
    last: (id: string): Enrolment['attempt'] => attempts.get(id) ?? null,

    /** Remembers how an attempt went. @param error null = the host has enrolled */
    note(id: string, { address, dateMs }: Applicant, error: DomainError | null): void {
      const offMs = dateMs === null ? 0 : dateMs - clock();
      const clockOffSec = Math.abs(offMs) > CLOCK_TOLERANCE_MS ? Math.round(offMs / 1000) : 0;
      const failure = {
        refusal: error === null ? null : refusalOf(error),
        error: error === null ? '' : textOf(error),
      };
      attempts.set(id, { at: clock(), address, ...failure, clockOffSec });
      publish({ type: 'invalidate', resource: 'nodes' });
    },
  };
}
export type Attempts = ReturnType<typeof createAttempts>;
