import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

/** Goes to the heading of the page. */
export const focusHeading = (): void => headingOf()?.focus({ preventScroll: true });

const headingOf = (): HTMLElement | null => document.querySelector<HTMLElement>('#page-title');

/**
 * On another page the focus goes to its heading: a screen reader says which page it is, and Tab goes on from there and not from the
 * list of pages. Sections of one page share a heading, and the focus stays at their links.
 */
export function useHeadingFocus(): void {
  const { pathname } = useLocation();
  const shown = useRef<HTMLElement | null>(null);
  useEffect(() => {
    const heading = headingOf();
    // The browser itself reads out the page it opened; a field of a page may have taken the focus already.
    const isTaken = heading?.closest('section')?.contains(document.activeElement) === true;
    if (shown.current !== null && shown.current !== heading && !isTaken) focusHeading();
    shown.current = heading;
  }, [pathname]);
}
