import type { Endpoint, EndpointShape } from '#wire/endpoint';
import { createContext, use, useCallback } from 'react';
import { call, type AnswerOf, type InputOf, type Transport } from './transport.ts';

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
) => Promise<AnswerOf<Endpoint<S>>>;

/** `call` bound to the connection of this window. */
export function useCall(): Caller {
  const transport = useTransport();
  return useCallback((endpoint, input, signal) => call(transport, endpoint, input, signal), [transport]);
}
