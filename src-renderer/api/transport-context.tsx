import type { Endpoint, EndpointShape } from '#wire/endpoint';
import { createContext, use, useCallback } from 'react';
import { getI18n } from 'react-i18next';
import { useConnection } from '../stores/connection.ts';
import { announcePending } from '../ui/notices/announce-pending.ts';
import { call, CallError, type ResultOf, type InputOf, type Transport } from './transport.ts';

export const TransportContext = createContext<Transport | null>(null);

/** The connection of this window. */
export function useTransport(): Transport {
  const transport = use(TransportContext);
  if (transport === null) throw new Error('no transport above this component');
  return transport;
}

export type Caller = <S extends EndpointShape>(
  endpoint: Endpoint<S>,
  input: InputOf<Endpoint<S>>,
  signal?: AbortSignal,
) => Promise<ResultOf<Endpoint<S>>>;

/** `call` bound to the connection of this window. */
export function useCall(): Caller {
  const transport = useTransport();
  return useCallback(
    async (endpoint, input, signal) => {
      const { isReachable, markSignedIn } = useConnection.getState();
      // Fails at once, where the change was made; what was typed stays there.
      if (!isReachable && endpoint.method !== 'GET' && endpoint.access === 'admin')
        throw new CallError('network', getI18n().t('shell:connection.writesWait'));
      const result = await call(transport, endpoint, input, signal);
      if (endpoint.access === 'admin') markSignedIn();
      if (endpoint.method !== 'GET') announcePending(result);
      return result;
    },
    [transport],
  );
}
