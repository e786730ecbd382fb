import { useQuery } from '@tanstack/react-query';
import { checkInboundPlace } from '#contract/inbounds';
import { CallError } from '../../api/transport.ts';
import { useCall } from '../../api/transport-context.tsx';
import { keys } from '../../api/keys.ts';
import { randomPort, traitsOf, type Recipe } from './recipes.ts';

const random = (count: number): Uint8Array => crypto.getRandomValues(new Uint8Array(count));

/** A free port for an inbound of this recipe: its usual one, if that is free. */
export function useProposedPort(recipe: Recipe): number | undefined {
  const call = useCall();
  const { protocol, network, port: expected } = traitsOf(recipe);
  const { data } = useQuery({
    queryKey: [...keys.inbounds, 'freePort', protocol, network, expected],
    queryFn: async ({ signal }) => {
      const others = [randomPort(random), randomPort(random), randomPort(random)];
      for (const port of expected === undefined ? others : [expected, ...others]) {
        const streamSettings = network === '' ? {} : { network };
        try {
          await call(checkInboundPlace, { body: { listen: '', port, protocol, settings: {}, streamSettings } }, signal);
          return port;
        } catch (error) {
          if (!(error instanceof CallError) || error.kind !== 'refused') throw error;
        }
      }
      return randomPort(random);
    },
    // Later responses do not change the suggested port.
    staleTime: Infinity,
    gcTime: 0,
  });
  return data;
}
