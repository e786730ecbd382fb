import type { UseQueryResult } from '@tanstack/react-query';
import { listInboundOptions, type InboundOption } from '#contract/inbounds';
import { CLIENT_PROTOCOLS } from '#wire/protocol-catalogue';
import { keys } from '../../api/keys.ts';
import { useRead } from '../../api/use-read.ts';

/** Inbounds as a form offers them. */
export function useInboundOptions(): UseQueryResult<InboundOption[]> {
  return useRead(listInboundOptions, {}, [...keys.inbounds, 'options']);
}

/** Those that clients can be on: wireguard, for one, knows peers of its own. */
export const takingClients = (options: readonly InboundOption[]): readonly InboundOption[] =>
  options.filter(takesClients);

export const takesClients = ({ protocol }: { protocol: string }): boolean =>
  CLIENT_PROTOCOLS.some((name) => name === protocol);

/** "Office · 443": what a list of inbounds shows of one. */
export const inboundLabel = ({ remark, tag, port }: InboundOption): string => `${remark || tag} · ${port}`;
