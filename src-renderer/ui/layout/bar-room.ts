const HEIGHT = '--bar-height';

/**
 * `ref` of a bar that sticks to the end of the window: tells its height to the page, so that what gets the focus below is
 * scrolled up from under it.
 */
export function barRoom(bar: HTMLElement | null): (() => void) | undefined {
  if (bar === null) return undefined;
  const { style } = document.documentElement;
  const observer = new ResizeObserver(() => style.setProperty(HEIGHT, `${bar.offsetHeight}px`));
  observer.observe(bar);
  return () => {
    observer.disconnect();
    style.removeProperty(HEIGHT);
  };
}
