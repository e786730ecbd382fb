import { isOwnPage } from './own-page.ts';

/** The permissions our pages need. All others, and all other requesters, are refused. */
const ALLOWED = new Set(['clipboard-sanitized-write', 'notifications']);

/** @param requester address of the requesting page, not of the window around it */
export function isPermitted(permission: string, requester: string | undefined): boolean {
  return ALLOWED.has(permission) && isOwnPage(requester);
}
