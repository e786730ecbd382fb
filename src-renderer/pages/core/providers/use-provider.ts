import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { tunnelAction, vpnAction } from '#contract/providers';
import { keys } from '../../../api/keys.ts';
import { useCall, type Caller } from '../../../api/transport-context.tsx';

type Provider = 'tunnel' | 'vpn';

/** The panel's record of a provider account; null when there is none. */
export function useAccount(provider: Provider) {
  const call = useCall();
  return useQuery({
    queryKey: [...keys.core, provider],
    queryFn: ({ signal }) => send(call, provider, 'data', {}, signal),
  });
}

/** One action of a provider. Its response is JSON text, returned parsed; the account is read again afterwards. */
export function useAction(provider: Provider) {
  const call = useCall();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ action, ...body }: { action: string } & Record<string, string>) =>
      send(call, provider, action, body),
    onSuccess: () => cache.invalidateQueries({ queryKey: [...keys.core, provider] }),
  });
}

/** @returns the response parsed; null when it is empty */
async function send(
  call: Caller,
  provider: Provider,
  action: string,
  body: Record<string, string>,
  signal?: AbortSignal,
): Promise<unknown> {
  const input = { params: { action }, body };
  const text = await (provider === 'tunnel' ? call(tunnelAction, input, signal) : call(vpnAction, input, signal));
  return text === '' ? null : (JSON.parse(text) as unknown);
}
