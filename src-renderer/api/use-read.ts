import { useQuery, type QueryKey, type UseQueryOptions, type UseQueryResult } from '@tanstack/react-query';
import type { Endpoint, EndpointShape } from '#wire/endpoint';
import { CallError, type ResultOf, type InputOf } from './transport.ts';
import { useCall } from './transport-context.tsx';

/** What an endpoint answers, kept in the cache under a key until a change makes its root stale. */
export function useRead<S extends EndpointShape, T = ResultOf<Endpoint<S>>>(
  endpoint: Endpoint<S>,
  input: InputOf<Endpoint<S>>,
  queryKey: QueryKey,
  options: Omit<UseQueryOptions<ResultOf<Endpoint<S>>, Error, T>, 'queryKey' | 'queryFn'> = {},
): UseQueryResult<T> {
  const call = useCall();
  return useQuery({ ...options, queryKey, queryFn: ({ signal }) => call(endpoint, input, signal) });
}

/** Why a field has nothing to choose from: its options could not be read. The sign-in over the page says the rest. */
export function failureOf({ data, error }: UseQueryResult): string | undefined {
  if (data !== undefined || error === null || (error instanceof CallError && error.kind === 'signedOut'))
    return undefined;
  return error.message;
}
