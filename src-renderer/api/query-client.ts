import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { useConnection } from '../stores/connection.ts';
import { CallError } from './transport.ts';

const RETRIES = 2;

/** The cache of this window. A refused session anywhere asks to sign in, in place. */
export function createQueryClient(): QueryClient {
  const onError = (error: unknown): void => {
    if (error instanceof CallError && error.kind === 'signedOut') useConnection.getState().setSignedOut(true);
    if (error instanceof CallError && error.kind === 'network') useConnection.getState().doubt();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      // Whether the panel answers has nothing to do with whether the browser believes itself online: it may run on this machine.
      // What is sent while it does not answer fails and says so; it does not wait unseen to be sent later.
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
