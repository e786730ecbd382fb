import { useLayoutEffect, useState, type RefObject } from 'react';

/** Narrower than this a table becomes cards, in CSS pixels; the container query of the style sheet says the same. */
const CARDS_TO_PX = 640;

interface FrameWidth {
  /** In CSS pixels, without the bar for scrolling; 0 before it is on screen. */
  widthPx: number;
  /** Whether a table is so narrow that its rows are cards, which the page scrolls. */
  isCards: boolean;
}

/** How wide the frame of a table is. */
export function useFrameWidth(frame: RefObject<HTMLElement | null>): FrameWidth {
  const [widthPx, setWidthPx] = useState(0);
  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const look = (): void => setWidthPx(element.clientWidth);
    look();
    const watcher = new ResizeObserver(look);
    watcher.observe(element);
    return () => watcher.disconnect();
  }, [frame]);
  return { widthPx, isCards: widthPx > 0 && widthPx <= CARDS_TO_PX };
}
