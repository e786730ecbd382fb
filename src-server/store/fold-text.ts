/** Key under which texts that differ only by case or Unicode composition are the same: e-mails, search words. */
export function foldText(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
