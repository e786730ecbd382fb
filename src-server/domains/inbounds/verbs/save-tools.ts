import type { Line } from '../../../concurrency.ts';
import type { createCertificateWarnings } from '../ports/certificate-warnings.ts';
import type { InboundReads } from './read.ts';

/** What every save of an inbound works with. */
export interface SaveTools {
  reads: InboundReads;
  inTurn: Line;
  warningsOf: ReturnType<typeof createCertificateWarnings>['warningsOf'];
}
