import ipaddr from 'ipaddr.js';

/** Names that every device, or every network, gives a meaning of its own. */
const OWN_NAME = /^(?:localhost|.*\.(?:localhost|local|internal|lan|home\.arpa))\.?$/i;

/** Host of a share link or web address that only this device or this network reaches; empty = none, or not known. */
export function nearHost(link: string): string {
  const host = hostOf(link).replace(/^\[(.*)\]$/, '$1');
  return isNear(host) ? host : '';
}

/** Whether only this device or this network reaches a name or address. */
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
