import { hostname } from 'node:os';
import type { Settings } from '../domains/settings/contract.ts';
import { ownHosts } from '../net/lan-addresses.ts';

/** Host for links, as far as it is known without a request. */
export const linkHostOf = ({ subDomain, webDomain }: Pick<Settings, 'subDomain' | 'webDomain'>): string =>
  subDomain || webDomain || ownHosts()[0] || hostname();
