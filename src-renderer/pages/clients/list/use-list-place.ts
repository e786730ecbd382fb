import { useLayoutEffect, useRef, type RefObject } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router';

/** Where lists were scrolled to, in CSS pixels, by entry of the browser's history. */
const places = new Map<string, number>();

/**
 * Another list (order, search, page) starts at its top; back and forward return to where it was left. The browser does the
 * latter by itself where the page is what scrolls.
 * @param list which list the rows belong to; empty while they are still those of another one
 */
export function useListPlace(scroller: RefObject<HTMLElement | null>, list: string): void {
  const { key } = useLocation();
  const navigation = useNavigationType();
  const shown = useRef<string | null>(null);
  useLayoutEffect(() => {
    const frame = scroller.current;
    if (frame === null || list === '' || shown.current === list) return;
    const isFirst = shown.current === null;
    shown.current = list;
    if (navigation === NavigationType.Pop) frame.scrollTop = places.get(key) ?? 0;
    else {
      frame.scrollTop = 0;
      // What the page scrolls: a new page of cards begins at its first card, not at the buttons below the last.
      if (!isFirst && frame.getBoundingClientRect().top < 0) frame.scrollIntoView({ block: 'start' });
    }
  }, [list, key, navigation, scroller]);
  useLayoutEffect(() => {
    const frame = scroller.current;
    if (frame === null || list === '') return undefined;
    const keep = (): unknown => places.set(key, frame.scrollTop);
    // An entry that came without another list, as an open drawer, is at the same place.
    keep();
    frame.addEventListener('scroll', keep, { passive: true });
    return () => frame.removeEventListener('scroll', keep);
  }, [list, key, scroller]);
}
