import ipaddr from 'ipaddr.js';

/** Names whose meaning depends on the device or the network. */
const OWN_NAME = /^(?:localhost|.*\.(?:localhost|local|internal|lan|home\.arpa))\.?$/i;

/** Host of a share link or web address if only this device or network can reach it; empty = others can, or unknown. */
export function nearHost(link: string): string {
  const host = hostOf(link).replace(/^\[(.*)\]$/, '$1');
  return isNear(host) ? host : '';
}

/** Whether only this device or network can reach a name or address. */
export function isNear(host: string): boolean {
  return OWN_NAME.test(host) || (ipaddr.isValid(host) && ipaddr.process(host).range() !== 'unicast');
}

function hostOf(link: string): string {
  try {
    if (link.startsWith('vmess://')) {
      const { add } = JSON.parse(atob(link.slice('vmess://'.length))) as { add?: unknown };
      return typeof add === 'string' ? add : '';
    }
    return new URL(link).hostname;
  } catch {
    return '';
  }
}
