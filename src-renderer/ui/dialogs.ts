/** The kit's mark: while an element has it as `true`, Escape pressed there is the element's own and closes no dialog. */
export const OWN_ESCAPE = 'data-mantine-stop-propagation';

/** The dialogs that are open, as far as they keep the rest of the page away: a popover does not. */
export const openDialogs = (): HTMLElement[] => [
  ...document.querySelectorAll<HTMLElement>('[role="dialog"][aria-modal="true"]'),
];

/** The one that lies over the others; null when none is open. */
export function topDialog(): HTMLElement | null {
  return openDialogs().reduce<HTMLElement | null>(
    (top, one) => (top !== null && heightOf(top) > heightOf(one) ? top : one),
    null,
  );
}

/** The kit stacks by this; of equals the later one is above. */
const heightOf = (dialog: HTMLElement): number => Number(getComputedStyle(dialog).getPropertyValue('--mb-z-index'));
