/** `name:443`, `[2001:db8::1]:443`; without a port (0) or a host (empty) the other one alone. */
export function hostAndPort(host: string, port: number): string {
  if (host === '' || port === 0) return host || (port === 0 ? '' : String(port));
  return `${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`;
}
