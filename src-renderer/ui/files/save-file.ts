/** Offers a text as a download. */
export function saveFile(name: string, text: string | Blob, type = 'application/json'): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  // In the document, so that the download guard sees the click.
  document.body.append(link);
  link.click();
  link.remove();
  // The browser reads it only after the click was handled, which may wait for a confirmation.
  setTimeout(() => URL.revokeObjectURL(url), 600_000);
}
