/** Deeper structures are refused: recursive code must not meet them. */
const MAX_DEPTH = 64;

/** Whether a setting holds JSON of this kind; blank means "none" and is fine. */
export function isJsonText(text: string, kind: 'object' | 'array'): boolean {
  if (text.trim() === '') return true;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return false;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value) !== (kind === 'array')) return false;
  return isShallow(value, 0);
}

function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return depth < MAX_DEPTH && Object.values(value).every((child) => isShallow(child, depth + 1));
}
