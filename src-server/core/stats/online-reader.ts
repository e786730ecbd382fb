import { isApiError } from '../api/api-error.ts';
import type { CoreApi } from '../api/core-api.ts';
import type { OnlineUser } from '../core.ts';
import { parseOnlineUsers } from './parse-online.ts';

/** Reads who has connections; remembers for each process if its core is too old to tell. */
export function createOnlineReader(): (api: CoreApi, bootId: string) => Promise<OnlineUser[] | null> {
  let unsupportedBy = '';
  return async (api, bootId) => {
    if (unsupportedBy === bootId) return null;
    try {
      return await parseOnlineUsers(await api.rawUsersStats());
    } catch (error) {
      if (!isApiError(error, 'unimplemented')) throw error;
      unsupportedBy = bootId;
      return null;
    }
  };
}
