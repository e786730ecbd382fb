import { systemLookup, type Lookup } from './checked-address.ts';

/** Beyond this many names, the one looked up longest ago is dropped. */
const MAX_NAMES = 2_000;

/** A resolver that remembers where names led, for callers that only display it. */
export function createKnownHosts(lookup: Lookup = systemLookup) {
  const led = new Map<string, string>();
  return {
    lookup: (async (host) => {
      const found = await lookup(host);
      const [first] = found;
      led.delete(host);
      if (first !== undefined) led.set(host, first.address);
      const [oldest] = led.keys();
      if (led.size > MAX_NAMES) led.delete(oldest!);
      return found;
    }) satisfies Lookup,
    /** What the name led to last; null = it was never looked up here. */
    addressOf: (host: string): string | null => led.get(host.toLowerCase()) ?? null,
  };
}
