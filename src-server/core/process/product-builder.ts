import { buildCoreConfig } from '../config/core-config.ts';
import { buildInbound, buildUsers } from '../config/inbound-config.ts';
import type { ConfigBuilder } from './session.ts';

/** The rules of this product. */
export const productBuilder: ConfigBuilder = {
  full: (source, options) => buildCoreConfig(source, options),
  inbound: (source, coreVersion) => buildInbound(source, { coreVersion }),
  users: (source) => buildUsers(source),
};
