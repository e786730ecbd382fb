import ipaddr from 'ipaddr.js';
import { isNear } from '../../ui/notices/near-host.ts';

/**
 * Where devices elsewhere may reach this server, best first: its own address in the internet, the one in the browser's bar,
 * and those of its networks.
 * @param hosts IP addresses of the machine, those of the internet first
 * @param bar host of this page; empty where the bar says nothing about the server
 */
export function proposedAddresses(hosts: readonly string[], bar: string): string[] {
  const shown = bar.replace(/^\[(.*)\]$/, '$1');
  // An IPv6 address may be replaced daily and is out of reach of many phones.
  const lasting = hosts.filter((host) => !host.includes(':') && !isNear(host));
  return [...new Set([...lasting, ...(isOwnDevice(shown) ? [] : [shown]), ...hosts])];
}

function isOwnDevice(host: string): boolean {
  if (host === '' || /^(?:.*\.)?localhost\.?$/i.test(host)) return true;
  return ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback';
}
