import { fillText } from '../contract/fields/field-text.ts';

/** English of a key, `{name}` placeholders filled; the key itself when no text exists. */
export type Say = (key: string, params?: Readonly<Record<string, string | number>>) => string;

export type Texts = Readonly<Record<string, string>>;

export function createSay(texts: Texts): Say {
  return (key, params = {}) => fillText(texts[key] ?? key, params);
}

/** Texts of the edge itself. */
export const texts: Texts = {
  'request.invalid': 'request body failed validation',
  'request.tooLarge': 'The request body exceeds {limit} bytes.',
  'request.tooSlow': 'The request body did not arrive in time.',
  'request.unexpected': 'unexpected error (reference {reference})',
  'request.unknown': 'There is no such endpoint.',
  'request.wrongMethod': 'This endpoint answers {methods} only.',
  'request.busy': 'The panel is answering too many requests at once. Try again in a moment.',
  'request.sessionExpired': 'Your session has expired, please log in again',
  'store.full': 'The disk is full: nothing was saved. Free some space and try again.',
  'store.readOnly': 'The database cannot be written: nothing was saved. Check the permissions of the data folder.',
  'store.away':
    'The database cannot be reached. The proxy core goes on and what it moves is counted later. Whether a change that was under way was saved shows when the database is back.',
  'store.io': 'The disk reported an error: nothing was saved. Check the disk and try again.',
};
