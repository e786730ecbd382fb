import { hostilePart } from '../../../contract/hostile-json.ts';

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
  return hostilePart(value) === null;
}
