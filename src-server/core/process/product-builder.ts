import { coreConfigSteps } from '../config/core-config.ts';
import { inboundSteps, userSteps } from '../config/inbound/inbound-config.ts';
import type { ConfigBuilder } from './session.ts';
import type { Steps } from '../config/steps.ts';
import { createTimeSlices } from '../../time-slices.ts';

/** The rules of this product. */
export const productBuilder: ConfigBuilder = {
  full: (source, options) => inSlices(coreConfigSteps(source, options)),
  inbound: (source, coreVersion) => inSlices(inboundSteps(source, { coreVersion })),
  users: (source) => inSlices(userSteps(source)),
};

/** Runs long work in steps and lets everything else run in between. */
async function inSlices<T>(steps: Steps<T>): Promise<T> {
  const slices = createTimeSlices();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (slices.isOver()) await slices.next();
  }
}
