import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { useConnection } from '../stores/connection.ts';
import { CallError } from './transport.ts';

const RETRIES = 2;

/** The cache of this window. A refused session in any call opens the sign-in over the page. */
export function createQueryClient(): QueryClient {
  const onError = (error: unknown): void => {
    if (error instanceof CallError && error.kind === 'signedOut') useConnection.getState().setSignedOut(true);
    if (error instanceof CallError && error.kind === 'network') useConnection.getState().doubt();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      // The browser's idea of being online says nothing about the panel, which may run on this machine. A change sent
      // while the panel does not answer fails visibly; it is not queued to be sent later.
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        staleTime: 30_000,
        refetchOnWindowFocus: false,
        retry: (count, error) =>
          error instanceof CallError &&
          error.kind === 'network' &&
          count < RETRIES &&
          useConnection.getState().isReachable,
      },
    },
  });
}
