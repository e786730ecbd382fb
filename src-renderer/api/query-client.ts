import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { useConnection } from '../stores/connection.ts';
import { CallError } from './transport.ts';

const RETRIES = 2;

/** The cache of this window. A refused session anywhere asks to sign in, in place. */
export function createQueryClient(): QueryClient {
  const onError = (error: unknown): void => {
    if (error instanceof CallError && error.kind === 'signedOut') useConnection.getState().setSignedOut(true);
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        refetchOnWindowFocus: false,
        retry: (count, error) => error instanceof CallError && error.kind === 'network' && count < RETRIES,
      },
    },
  });
}
