import { isIP } from 'node:net';

/** An address as in links: IPv6 without brackets; an empty address or port 0 inherits the inbound's. */
export interface HostEntry {
  address: string;
  port: number;
}

/** Host names, wildcards for templates, and addresses: nothing that would end an authority in a link. */
const ADDRESS = /^[^\s/?#@\\:[\]%"'<>\p{Cc}]{0,253}$/u;

/** Whether a text can be the server in a link; empty inherits. */
export function isHostAddress(text: string): boolean {
  return ADDRESS.test(text) || (isIP(text) === 6 && !text.includes('%'));
}

/**
 * Reads `name`, `name:443`, `2001:db8::1`, `[2001:db8::1]:443`, or `:443` for the inbound's address with another port.
 * @returns null for anything else, such as a port above 65535 or an unclosed bracket.
 */
export function parseHostEntry(text: string, defaultPort: number): HostEntry | null {
  const entry = text.trim();
  const [, inside, after] = /^\[([^\]]*)\](?::(\d{1,5}))?$/.exec(entry) ?? [];
  if (inside !== undefined) return isIP(inside) === 6 ? checked(inside, after, defaultPort) : null;
  if (isIP(entry) === 6) return checked(entry, undefined, defaultPort);
  const [, name, port] = /^([^:]*)(?::(\d{1,5}))?$/.exec(entry) ?? [];
  return name === undefined ? null : checked(name, port, defaultPort);
}

function checked(address: string, portText: string | undefined, defaultPort: number): HostEntry | null {
  const port = portText === undefined ? defaultPort : Number(portText);
  return port > 65_535 || !isHostAddress(address) ? null : { address, port };
}

/** The reverse of {@link parseHostEntry} with the default port 0. */
export function formatHostEntry({ address, port }: HostEntry): string {
  const shown = address.includes(':') && port !== 0 ? `[${address}]` : address;
  return port === 0 ? shown : `${shown}:${port}`;
}
