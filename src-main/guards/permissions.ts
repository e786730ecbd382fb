import { isOwnPage } from './own-page.ts';

/** All that our pages ask for. Everything else, and everybody else, is refused. */
const ALLOWED = new Set(['clipboard-sanitized-write', 'notifications']);

/** @param requester address of the page that asks, not of the window around it */
export function isPermitted(permission: string, requester: string | undefined): boolean {
  return ALLOWED.has(permission) && isOwnPage(requester);
}
