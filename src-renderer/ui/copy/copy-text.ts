/** Copies text to the clipboard. @returns false on a page without a secure origin, or when the browser refuses. */
export async function copyText(text: string): Promise<boolean> {
  // Missing on plain http:// pages, whatever the types say.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (clipboard === undefined) return false;
  try {
    await clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
