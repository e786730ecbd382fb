import { useQuery, type QueryKey, type UseQueryOptions, type UseQueryResult } from '@tanstack/react-query';
import type { Endpoint, EndpointShape } from '#wire/endpoint';
import type { AnswerOf, InputOf } from './transport.ts';
import { useCall } from './transport-context.tsx';

/** What an endpoint answers, kept in the cache under a key until a change makes its root stale. */
export function useRead<S extends EndpointShape, T = AnswerOf<Endpoint<S>>>(
  endpoint: Endpoint<S>,
  input: InputOf<Endpoint<S>>,
  queryKey: QueryKey,
  options: Omit<UseQueryOptions<AnswerOf<Endpoint<S>>, Error, T>, 'queryKey' | 'queryFn'> = {},
): UseQueryResult<T> {
  const call = useCall();
  return useQuery({ ...options, queryKey, queryFn: ({ signal }) => call(endpoint, input, signal) });
}
