import { useQuery } from '@tanstack/react-query';
import { checkInboundPlace } from '#contract/inbounds';
import { CallError } from '../../api/transport.ts';
import { useCall } from '../../api/transport-context.tsx';
import { keys } from '../../api/keys.ts';
import { randomPort, type Recipe } from './recipes.ts';

const HTTPS_PORT = 443;
const random = (count: number): Uint8Array => crypto.getRandomValues(new Uint8Array(count));

/** A port that is free for an inbound of this recipe: 443 for REALITY, which answers as a site, where nobody has it. */
export function useProposedPort(recipe: Recipe): number | undefined {
  const call = useCall();
  const isSite = recipe === 'reality';
  const { data } = useQuery({
    queryKey: [...keys.inbounds, 'freePort', isSite],
    queryFn: async ({ signal }) => {
      const protocol = recipe === 'shadowsocks' ? ('shadowsocks' as const) : ('vless' as const);
      const others = [randomPort(random), randomPort(random), randomPort(random)];
      for (const port of isSite ? [HTTPS_PORT, ...others] : others) {
        const body = { listen: '', port, protocol, settings: {}, streamSettings: { network: 'tcp' } };
        try {
          await call(checkInboundPlace, { body }, signal);
          return port;
        } catch (error) {
          if (!(error instanceof CallError) || error.kind !== 'refused') throw error;
        }
      }
      return randomPort(random);
    },
    // The form keeps what it proposed.
    staleTime: Infinity,
    gcTime: 0,
  });
  return data;
}
