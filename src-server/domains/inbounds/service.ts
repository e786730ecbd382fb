import { createAdd } from './add.ts';
import { createAdoption } from './adoption.ts';
import { createCheckPlace } from './check-place.ts';
import type { InboundServiceDeps } from './dependencies.ts';
import { createEnable } from './enable.ts';
import { createFallbacks } from './fallbacks.ts';
import { createReads } from './read.ts';
import { createRemove } from './remove.ts';
import { createReset } from './reset.ts';
import { createSerial } from './serial.ts';
import { createUpdate } from './update.ts';

export type InboundService = ReturnType<typeof createInboundService>;

/**
 * Inbounds: reading, writing and their scheduled resets. Changes to inbounds run one after another, from the first check
 * until the core has taken them: the check for other programs on a port would otherwise meet our own half-made change.
 */
export function createInboundService(deps: InboundServiceDeps) {
  const inTurn = createSerial();
  const reads = createReads(deps);
  return {
    ...reads,
    ...createAdd(deps, reads, inTurn),
    ...createUpdate(deps, reads, inTurn),
    ...createCheckPlace(deps),
    ...createEnable(deps, inTurn),
    ...createRemove(deps, inTurn),
    ...createReset(deps),
    ...createFallbacks(deps, inTurn),
    adoption: createAdoption(deps, inTurn),
  };
}
