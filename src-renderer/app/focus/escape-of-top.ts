import { useLayoutEffect } from 'react';
import { openDialogs, OWN_ESCAPE, topDialog } from '../../ui/dialogs.ts';

/**
 * Escape closes the top dialog alone. Every dialog of the kit listens for it by itself: a dialog over a drawer would take the
 * drawer along, and a form would ask again whether its text may be lost as soon as that question is closed.
 */
export function useEscapeOfTop(): void {
  // The dialogs listen at the same place, from their first effect on: this has to be first.
  useLayoutEffect(() => {
    const handleKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.isComposing || openDialogs().length < 2) return;
      // A list or a menu in the dialog is closed first, as the kit has it.
      if (event.target instanceof Element && event.target.getAttribute(OWN_ESCAPE) === 'true') return;
      event.stopImmediatePropagation();
      overlayOf(topDialog())?.click();
    };
    window.addEventListener('keydown', handleKey, true);
    return () => window.removeEventListener('keydown', handleKey, true);
  }, []);
}

/** A click on it closes its dialog, unless only a button may. */
const overlayOf = (dialog: HTMLElement | null): HTMLElement | null | undefined =>
  dialog?.parentElement?.parentElement?.querySelector<HTMLElement>('.mantine-Overlay-root');
