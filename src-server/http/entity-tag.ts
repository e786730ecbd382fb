/** Whether an `If-None-Match` header names this tag. */
export function isKnownTag(header: string, tag: string): boolean {
  if (header === '') return false;
  return header.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === tag);
}
