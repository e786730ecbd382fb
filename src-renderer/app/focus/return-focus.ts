import { useEffect } from 'react';
import { topDialog } from '../../ui/dialogs.ts';

/** Places that are remembered. */
const MAX_PLACES = 30;
/** Its focus comes back with the response it waits for. */
const WAITING = ':is([data-loading], input):disabled';
/** With the focus, these open the keyboard of a phone, or a list. */
const FIELDS = 'input:not([type="checkbox"], [type="radio"]), textarea, [contenteditable]';

interface Place {
  element: HTMLElement;
  /** The page, or the dialog or popover that it is in. */
  layer: HTMLElement;
}

const LAYER = '#root, [role="dialog"]';

/**
 * Returns the focus when what has it goes. Dialogs depend on the address or on a condition, so they leave the tree at once and
 * take the focus with them; so do a row that is deleted and a button that has nothing more to do, and a button that waits for a
 * response loses it. It returns to the last place in what is open now, or, when that is gone, to the list's row in the tab order, or
 * to the place before; to a field only if the last press was a key.
 */
export function useReturnFocus(): void {
  useEffect(() => {
    const page = document.querySelector<HTMLElement>('#root');
    if (page === null) return undefined;
    /** Where the focus was, the newest last. */
    let places: Place[] = [];
    let path = location.pathname;
    /** By the user: a click beside everything, or another page. */
    let isLeft = false;
    /** Whether the focus is on its way to another element: what it left may close its popover meanwhile. */
    let isMoving = false;
    /** Whether the focus was returned since the last press of a key. */
    let isMoved = false;
    /** Whether the last press was one of a finger or a mouse. */
    let isPointed = false;
    const notePointer = (): void => {
      isPointed = true;
    };
    const noteKey = (event: KeyboardEvent): void => {
      isPointed = false;
      if (!event.repeat) isMoved = false;
      // A key that is held down does not press the next button as well.
      else if (isMoved && event.key === 'Enter') event.preventDefault();
    };
    const remember = ({ target }: FocusEvent): void => {
      isLeft = false;
      isMoving = false;
      path = location.pathname;
      const layer = target instanceof HTMLElement ? target.closest<HTMLElement>(LAYER) : null;
      if (!(target instanceof HTMLElement) || layer === null) return;
      // A dialog takes the focus a moment after it opens: Tab may lead on behind it until then.
      const top = topDialog();
      if (top !== null && layer !== top && (layer === page || layer.ariaModal === 'true')) return;
      places = [...places.filter(({ element }) => element !== target), { element: target, layer }].slice(-MAX_PLACES);
    };
    const noteLeft = ({ target, relatedTarget }: FocusEvent): void => {
      isMoving = relatedTarget !== null;
      // It does not arrive at an element that went meanwhile.
      if (isMoving)
        setTimeout(() => {
          isMoving = false;
          goBack();
        });
      // What is removed is still there while it loses the focus.
      queueMicrotask(() => {
        if (
          relatedTarget === null &&
          (target as HTMLElement).isConnected &&
          !(target as HTMLElement).matches(':disabled')
        )
          isLeft = true;
      });
    };
    const goBack = (): void => {
      if (location.pathname !== path) isLeft = true;
      if (isLeft || isMoving || !isLost()) return;
      const last = places.at(-1)?.layer;
      const layer = last?.isConnected === true ? last : (topDialog() ?? page);
      const here = places.filter((place) => place.layer === layer).map(({ element }) => element);
      const newest = here.at(-1);
      if (newest === undefined || (newest.isConnected && newest.matches(WAITING))) return;
      isMoved = true;
      const isBefore = (one: HTMLElement): boolean => isUsable(one) && !(isPointed && one.matches(FIELDS));
      const place = isUsable(newest) ? newest : (beside(newest, layer) ?? here.findLast(isBefore) ?? layer);
      // What the user looks at stays in view.
      place.focus({ preventScroll: true });
    };
    const changes = new MutationObserver(goBack);
    document.addEventListener('keydown', noteKey, true);
    document.addEventListener('pointerdown', notePointer, true);
    document.addEventListener('focusin', remember);
    // Before the element's own handlers.
    document.addEventListener('focusout', noteLeft, true);
    changes.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
    return () => {
      document.removeEventListener('keydown', noteKey, true);
      document.removeEventListener('pointerdown', notePointer, true);
      document.removeEventListener('focusin', remember);
      document.removeEventListener('focusout', noteLeft, true);
      changes.disconnect();
    };
  }, []);
}

/** Another button of a group where one has nothing more to do, or the row of a list that lost one. */
const beside = (place: HTMLElement, layer: HTMLElement): HTMLElement | null | undefined =>
  place.isConnected
    ? place.parentElement?.querySelector<HTMLElement>('button:enabled')
    : layer.querySelector<HTMLElement>('tr[tabindex="0"]');

const isUsable = (element: HTMLElement): boolean => element.isConnected && !element.matches(':disabled');

function isLost(): boolean {
  const { activeElement: active, body } = document;
  return active === null || active === body || (active.matches(':disabled') && !active.matches(WAITING));
}
