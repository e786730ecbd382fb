/** A host as URLs have it: an IPv6 address in brackets, which it may have already. */
export function bracketed(host: string): string {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  return bare.includes(':') ? `[${bare}]` : bare;
}

/** `name:443`, `[2001:db8::1]:443`; without a port (0) or a host (empty) the other one alone. */
export function hostAndPort(host: string, port: number): string {
  if (host === '' || port === 0) return host || (port === 0 ? '' : String(port));
  return `${bracketed(host)}:${port}`;
}
