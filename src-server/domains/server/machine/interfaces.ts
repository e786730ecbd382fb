const EXCLUDED_NAMES = new Set(['lo', 'lo0']);

/** Loopback, bridges and tunnels: their traffic passes a real interface too and would be counted twice. */
const EXCLUDED_PREFIXES = (
  'loopback docker br- veth virbr tun tap wg tailscale zt ifb dummy ' +
  'utun awdl llw bridge anpi ap1 gif stf vmnet feth'
).split(' ');

/** Whether an interface carries traffic of its own. */
export function isCountedInterface(name: string): boolean {
  const key = name.toLowerCase();
  return !EXCLUDED_NAMES.has(key) && !EXCLUDED_PREFIXES.some((prefix) => key.startsWith(prefix));
}
