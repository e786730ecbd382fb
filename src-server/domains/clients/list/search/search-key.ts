import { foldText } from '../../../../store/fold-text.ts';

/** Separates the fields of a search key, so that a search never matches across two of them. */
export const SEPARATOR = '\u001f';

const foldField = (text: string): string => foldText(text).replaceAll(SEPARATOR, ' ');

/** The text searched by the list: e-mail, subscription id and comment, folded. */
export function searchKeyOf({ email, subId, comment }: { email: string; subId: string; comment: string }): string {
  return [email, subId, comment].map(foldField).join(SEPARATOR);
}

/**
 * A search as it appears inside a search key; empty = no search. Every character is literal, and half of a surrogate
 * pair is replaced, as the store does.
 */
export function searchTerm(search: string): string {
  return foldField(search.trim()).toWellFormed();
}
