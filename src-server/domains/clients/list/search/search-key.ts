import { foldText } from '../../../../store/fold-text.ts';

/** Between the fields of a search key, so that a search never matches across two of them. */
export const SEPARATOR = '\u001f';

const foldField = (text: string): string => foldText(text).replaceAll(SEPARATOR, ' ');

/** What the list's search looks into: e-mail, subscription id and comment, folded. */
export function searchKeyOf({ email, subId, comment }: { email: string; subId: string; comment: string }): string {
  return [email, subId, comment].map(foldField).join(SEPARATOR);
}

/**
 * A search as it appears inside a search key; empty = no search. Every character is literal, and half of a pair is replaced,
 * as the store does it.
 */
export function searchTerm(search: string): string {
  return foldField(search.trim()).toWellFormed();
}
