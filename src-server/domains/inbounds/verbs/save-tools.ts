import type { Line } from '../../../concurrency.ts';
import type { createCertificateWarnings } from '../ports/certificate-warnings.ts';
import type { InboundReads } from './read.ts';

/** Dependencies of every save of an inbound. */
export interface SaveTools {
  reads: InboundReads;
  inTurn: Line;
  warningsOf: ReturnType<typeof createCertificateWarnings>['warningsOf'];
}
