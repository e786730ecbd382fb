import { useMutation, useQueryClient, type QueryClient, type UseMutationResult } from '@tanstack/react-query';
import type { Endpoint, EndpointShape } from '#wire/endpoint';
import type { ResultOf, InputOf } from './transport.ts';
import { useCall } from './transport-context.tsx';

interface ChangeOptions<E> {
  /** Changes of one scope are sent one after another, each when the one before has been answered. */
  scope?: string;
  /** Writes what the response made certain into the cache, before the roots are fetched again. */
  updateCache?: (cache: QueryClient, input: InputOf<E>) => void;
}

/**
 * A change of the panel as a mutation: on success the named cache roots are fetched again, so its own echo in
 * the live stream need not fetch what is shown.
 */
export function useChange<S extends EndpointShape>(
  endpoint: Endpoint<S>,
  stale: readonly (readonly string[])[],
  { scope, updateCache }: ChangeOptions<Endpoint<S>> = {},
): UseMutationResult<ResultOf<Endpoint<S>>, Error, InputOf<Endpoint<S>>> {
  const call = useCall();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (input: InputOf<Endpoint<S>>) => call(endpoint, input),
    ...(scope === undefined ? {} : { scope: { id: scope } }),
    onSuccess: (_result, input) => {
      updateCache?.(cache, input);
      return Promise.all(stale.map((queryKey) => cache.invalidateQueries({ queryKey })));
    },
  });
}
