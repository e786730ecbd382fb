import { createAdd } from './verbs/add.ts';
import { createAdoption } from './adoption.ts';
import { createCertificateWarnings } from './ports/certificate-warnings.ts';
import { createCheckPlace } from './ports/check-place.ts';
import type { InboundServiceDeps } from './dependencies.ts';
import { createEnable } from './verbs/enable.ts';
import { createFallbacks } from './fallbacks.ts';
import { createReads } from './verbs/read.ts';
import { createRemove } from './verbs/remove.ts';
import { createReset } from './verbs/reset.ts';
import { createRestored } from './verbs/restored.ts';
import { createLine } from '../../concurrency.ts';
import { createUpdate } from './verbs/update.ts';

export type InboundService = ReturnType<typeof createInboundService>;

/**
 * Inbounds: reading, writing and their scheduled resets. Changes to inbounds run one after another, from the first
 * check until the core has applied them: otherwise the check for other programs on a port would see our own unfinished
 * change.
 */
export function createInboundService(deps: InboundServiceDeps) {
  const inTurn = createLine();
  const reads = createReads(deps);
  const { warningsOf, checkCertificates } = createCertificateWarnings(deps);
  return {
    ...reads,
    ...createAdd(deps, { reads, inTurn, warningsOf }),
    ...createUpdate(deps, { reads, inTurn, warningsOf }),
    ...createCheckPlace(deps),
    checkCertificates,
    ...createEnable(deps, inTurn),
    ...createRemove(deps, inTurn),
    ...createReset(deps),
    ...createRestored(deps, inTurn),
    ...createFallbacks(deps, inTurn),
    adoption: createAdoption(deps, inTurn),
  };
}
