import { isIP } from 'node:net';
import type { DialError } from './dial-error.ts';

/** Why a host is not dialled, in the words that operators know from similar panels. */
export function blockedText({ host, address }: NonNullable<DialError['refused']>): string {
  return isIP(host) === 0
    ? `host ${host} resolves to blocked private/internal address ${address}`
    : `blocked private/internal address ${address}`;
}
