import ipaddr from 'ipaddr.js';
import { isNear } from '../../ui/notices/near-host.ts';

/**
 * Addresses at which other devices may reach this server, best first: its public one, the one of this page's panel,
 * and those on its networks.
 * @param hosts IP addresses of the machine, public ones first
 * @param own host in the panel's address; empty where it is not known
 */
export function proposedAddresses(hosts: readonly string[], own: string): string[] {
  const shown = own.replace(/^\[(.*)\]$/, '$1');
  // An IPv6 address may change daily, and many phones cannot reach it.
  const lasting = hosts.filter((host) => !host.includes(':') && !isNear(host));
  return [...new Set([...lasting, ...(isOwnDevice(shown) ? [] : [shown]), ...hosts])];
}

function isOwnDevice(host: string): boolean {
  if (host === '' || /^(?:.*\.)?localhost\.?$/i.test(host)) return true;
  return ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback';
}
