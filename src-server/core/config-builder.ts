import { buildCoreConfig } from './config/core-config.ts';
import { buildInbound, buildUsers } from './config/inbound-config.ts';
import type { ConfigBuilder } from './process/session.ts';

/** The panel's config rules as the process and hot apply use them. */
export const configBuilder: ConfigBuilder = {
  full: buildCoreConfig,
  inbound: (source, coreVersion) => buildInbound(source, { coreVersion }),
  users: buildUsers,
};
