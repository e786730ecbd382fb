import type { UseQueryResult } from '@tanstack/react-query';
import { getStatus, type ServerStatus } from '#contract/server';
import { keys } from '../../api/keys.ts';
import { useRead } from '../../api/use-read.ts';

/**
 * A part of the status of machine, core and panel. A reading comes every two seconds; the caller renders again only
 * when this part has changed. @param select the same function every time
 */
export function useStatus<T>(select: (status: ServerStatus) => T): UseQueryResult<T> {
  return useRead(getStatus, {}, keys.status, { select });
}
