import { defaultRangeExtractor, useVirtualizer, type Range } from '@tanstack/react-virtual';
import { useCallback, useEffect, type RefObject } from 'react';

/** Fewer rows than this are all there. */
const WINDOW_FROM = 50;
const OVERSCAN = 6;
/** Height of a row with its line, in CSS pixels; the style sheet gives it the same. */
export const ROW_PX = { comfortable: 46, compact: 32 } as const;

interface RowInView {
  index: number;
  /** Height of what is left out before it, in CSS pixels. */
  gapPx: number;
}

interface RowWindow {
  rows: readonly RowInView[];
  /** Height of what is left out after the last, in CSS pixels. */
  endPx: number;
}

/** Which rows of a scrolled list have to exist: those in view, some around them, and the one with the focus. */
export function useRowWindow(
  count: number,
  scroller: RefObject<HTMLElement | null>,
  rowPx: number,
  current: number,
  isCards: boolean,
): RowWindow {
  const isWindow = count > WINDOW_FROM && !isCards;
  const rangeExtractor = useCallback(
    (range: Range) => {
      const inView = defaultRangeExtractor(range);
      return current >= range.count || inView.includes(current) ? inView : [...inView, current].sort((a, b) => a - b);
    },
    [current],
  );
  const list = useVirtualizer({
    count,
    enabled: isWindow,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: OVERSCAN,
    rangeExtractor,
  });
  useEffect(() => list.measure(), [rowPx, list]);
  if (!isWindow) return { rows: Array.from({ length: count }, (_, index) => ({ index, gapPx: 0 })), endPx: 0 };
  let end = 0;
  const rows = list.getVirtualItems().map((item) => {
    const gapPx = item.start - end;
    end = item.end;
    return { index: item.index, gapPx };
  });
  return { rows, endPx: list.getTotalSize() - end };
}
