import { systemLookup, type Lookup } from './checked-address.ts';

/** Names beyond this many push out the one that was looked up longest ago. */
const MOST_NAMES = 2_000;

/** A resolver that keeps in mind where names led, for who only wants to tell of it. */
export function createKnownHosts(lookup: Lookup = systemLookup) {
  const led = new Map<string, string>();
  return {
    lookup: (async (host) => {
      const found = await lookup(host);
      const [first] = found;
      led.delete(host);
      if (first !== undefined) led.set(host, first.address);
      const [oldest] = led.keys();
      if (led.size > MOST_NAMES) led.delete(oldest!);
      return found;
    }) satisfies Lookup,
    /** What the name led to last; null = it was never looked up here. */
    addressOf: (host: string): string | null => led.get(host.toLowerCase()) ?? null,
  };
}
