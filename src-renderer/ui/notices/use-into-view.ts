import { useEffect, useRef, type RefObject } from 'react';

/**
 * Scrolls a notice of a form or a dialog into view when it appears or says something else: the button that it answers
 * may be far from it. On a page it may come by itself, while something else is read.
 */
export function useIntoView(content: unknown): RefObject<HTMLDivElement | null> {
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (notice.current?.closest('form, [role="dialog"]')) notice.current.scrollIntoView({ block: 'nearest' });
  }, [content]);
  return notice;
}
