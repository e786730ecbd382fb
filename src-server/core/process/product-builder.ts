import { coreConfigSteps } from '../config/core-config.ts';
import { inboundSteps, userSteps } from '../config/inbound/inbound-config.ts';
import { inSlices } from './in-slices.ts';
import type { ConfigBuilder } from './session.ts';

/** The rules of this product. */
export const productBuilder: ConfigBuilder = {
  full: (source, options) => inSlices(coreConfigSteps(source, options)),
  inbound: (source, coreVersion) => inSlices(inboundSteps(source, { coreVersion })),
  users: (source) => inSlices(userSteps(source)),
};
