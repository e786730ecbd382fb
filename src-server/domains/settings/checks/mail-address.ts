/** Address and display name of a mailbox. */
export interface MailAddress {
  name: string;
  address: string;
}

const ADDRESS = /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+$/;

/** Reads `a@b`, `Name <a@b>` or `"Name" <a@b>`; null for anything else, control characters included. */
export function mailAddress(text: string): MailAddress | null {
  const trimmed = text.trim();
  for (let i = 0; i < trimmed.length; i++) {
    const code = trimmed.charCodeAt(i);
    if (code < 0x20 || code === 0x7f) return null;
  }
  if (ADDRESS.test(trimmed)) return { name: '', address: trimmed };
  const named = /^(?:"((?:[^"\\]|\\.)*)"|([^"<>]*))\s*<([^<>]*)>$/.exec(trimmed);
  const address = named?.[3]?.trim() ?? '';
  if (named === null || !ADDRESS.test(address)) return null;
  return { name: (named[1]?.replace(/\\(.)/g, '$1') ?? named[2] ?? '').trim(), address };
}
