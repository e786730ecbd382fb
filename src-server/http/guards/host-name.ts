import { isIP } from 'node:net';
import { hostname } from 'node:os';

/** Suffixes that no public registry hands out, so a name under them belongs to this network. */
const PRIVATE_ENDINGS = ['local', 'lan', 'home', 'home.arpa', 'internal', 'localdomain'];

/**
 * Name in a `Host` header or an authority: port and brackets removed, lower case, no final dot.
 * Null when it is not a host at all.
 */
export function hostName(host: string): string | null {
  const match = /^(?:\[([0-9a-f:.]+)\]|([^\s:/\\@?#[\]]+))(?::\d{1,5})?$/i.exec(host.trim());
  const name = (match?.[1] ?? match?.[2] ?? '').toLowerCase().replace(/\.$/, '');
  return name === '' ? null : name;
}

/**
 * Whether a name can only mean a machine of this network. A foreign site's page rebound to this panel (DNS rebinding)
 * still carries the foreign name in `Host`, and that name is none of these: an IP literal, `localhost`, a name without
 * dots (search domains, container names), this machine's own name, or that name under a private suffix.
 */
export function isLocalName(name: string, machineName: string = hostname()): boolean {
  if (isIP(name) !== 0 || name === 'localhost' || name.endsWith('.localhost') || !name.includes('.')) return true;
  const machine = machineName.toLowerCase();
  const short = machine.split('.')[0] ?? machine;
  return name === machine || PRIVATE_ENDINGS.some((ending) => name === `${short}.${ending}`);
}
