/** Hands a text to the browser as a file to keep. */
export function saveFile(name: string, text: string | Blob, type = 'application/json'): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  // In the document, where what guards downloads sees it.
  document.body.append(link);
  link.click();
  link.remove();
  // The browser reads it after the click has been dealt with, which may wait for a confirmation.
  setTimeout(() => URL.revokeObjectURL(url), 600_000);
}
