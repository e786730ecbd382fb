/** Deeper structures are refused: no panel object needs them, and recursive code must not meet them. */
const MAX_DEPTH = 64;

/**
 * The first forbidden thing in parsed JSON, in words; null when there is none. For bodies and for JSON texts inside
 * them. `depth` counts the levels above.
 */
export function hostilePart(value: unknown, depth = 0): string | null {
  if (typeof value === 'string') return value.includes('\0') ? 'a text contains a NUL character' : null;
  if (typeof value !== 'object' || value === null) return null;
  if (depth >= MAX_DEPTH) return `the body is nested deeper than ${MAX_DEPTH} levels`;
  for (const key of Object.keys(value)) {
    if (key === '__proto__') return 'a field is named __proto__';
    if (key.includes('\0')) return 'a field name contains a NUL character';
    const complaint = hostilePart((value as Record<string, unknown>)[key], depth + 1);
    if (complaint !== null) return complaint;
  }
  return null;
}
