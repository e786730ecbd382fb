const HEIGHT = '--bar-height';

/**
 * `ref` of a bar that sticks to the end of the window: passes its height to the page, so that an element that gets the
 * focus is scrolled out from under it.
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
