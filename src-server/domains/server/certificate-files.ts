import type { Json } from '../../contract/json.ts';

const DEEPEST = 12;

/** Every `certificateFile` anywhere in a stored part of an inbound. */
export function certificateFilesIn(value: Json | undefined, depth = 0): string[] {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return [];
  if (Array.isArray(value)) return value.flatMap((item) => certificateFilesIn(item, depth + 1));
  const own = value['certificateFile'];
  return [
    ...(typeof own === 'string' && own.trim() !== '' ? [own.trim()] : []),
    ...Object.values(value).flatMap((item) => certificateFilesIn(item, depth + 1)),
  ];
}
