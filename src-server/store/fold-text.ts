/**
 * Key that is the same for texts that differ only by case or Unicode composition: e-mails, search words. Lower case is
 * taken per code point, as the core does when it compares e-mails: neither the final sigma nor the dotted capital I
 * gets the special treatment of whole words, or two clients that the panel tells apart would be one to the core.
 */
export function foldText(text: string): string {
  if (!/[^\x20-\x7e]/.test(text)) return text.toLowerCase();
  let folded = '';
  for (const char of text.normalize('NFC')) folded += char === 'İ' ? 'i' : char.toLowerCase();
  return folded;
}
