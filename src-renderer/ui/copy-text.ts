/** Puts text on the clipboard. @returns false where there is none: pages without a secure origin, or a refusal of the browser. */
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
