const EXCLUDED_NAMES = new Set(['lo', 'lo0']);

/** Loopback, bridges and tunnels: their traffic also passes a real interface and would be counted twice. */
const EXCLUDED_PREFIXES = (
  'loopback docker br- veth virbr tun tap wg tailscale zt ifb dummy ' +
  'utun awdl llw bridge anpi ap1 gif stf vmnet feth'
).split(' ');

/** Whether an interface's traffic is to be counted. */
export function isCountedInterface(name: string): boolean {
  const key = name.toLowerCase();
  return !EXCLUDED_NAMES.has(key) && !EXCLUDED_PREFIXES.some((prefix) => key.startsWith(prefix));
}
