const dialogOf = (element: Element): Element | null => element.closest('[role="dialog"]');

/**
 * Whether every number on the page, or in the dialog, of a button fits; the first that does not is shown with its
 * message. Forms do the same by themselves: this is for buttons outside of one.
 */
export function allFit(button: Element): boolean {
  const invalid = [...document.querySelectorAll('input')].find(
    (input) => input.validity.customError && dialogOf(input) === dialogOf(button),
  );
  invalid?.focus();
  invalid?.reportValidity();
  return invalid === undefined;
}
