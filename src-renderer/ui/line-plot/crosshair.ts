/** Columns that Page Up and Page Down skip. */
const LEAP = 10;

/**
 * Where a key moves the crosshair of a chart with `count` columns.
 * @param at null = hidden: the first key puts it at the newest column
 * @returns null hides it; undefined = not a key of the crosshair
 */
export function nextIndex(key: string, at: number | null, count: number): number | null | undefined {
  const last = count - 1;
  const moved = (by: number): number => Math.max(0, Math.min(last, at === null ? last : at + by));
  if (count === 0) return undefined;
  switch (key) {
    case 'ArrowLeft':
      return moved(-1);
    case 'ArrowRight':
      return moved(1);
    case 'PageUp':
      return moved(-LEAP);
    case 'PageDown':
      return moved(LEAP);
    case 'Home':
      return 0;
    case 'End':
      return last;
    case 'Escape':
      return at === null ? undefined : null;
    default:
      return undefined;
  }
}
