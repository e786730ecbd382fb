import { keys } from '../../../api/keys.ts';
import { SETTINGS_KEY } from '../draft/use-core-settings.ts';

/** Below the outbounds: the server reports `outbounds` when a subscription changed. */
export const SUBS_KEY = [...keys.outbounds, 'subscriptions'];

/** Fetched again after a change: the list, and the outbounds that the other sections show. */
export const AFTER_CHANGE = [keys.outbounds, SETTINGS_KEY];
