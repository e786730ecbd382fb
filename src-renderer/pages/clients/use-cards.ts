import { useLayoutEffect, useState, type RefObject } from 'react';

/** Narrower than this a table becomes cards, in CSS pixels; the container query of the style sheet says the same. */
const CARDS_TO_PX = 640;

/** Whether a table is so narrow that its rows are cards, which the page scrolls. */
export function useCards(frame: RefObject<HTMLElement | null>): boolean {
  const [isCards, setCards] = useState(false);
  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const look = (): void => setCards(element.clientWidth > 0 && element.clientWidth <= CARDS_TO_PX);
    look();
    const watcher = new ResizeObserver(look);
    watcher.observe(element);
    return () => watcher.disconnect();
  }, [frame]);
  return isCards;
}
