import { useEffect } from 'react';

const DIALOG = '[role="dialog"]';

/**
 * Restores the focus when a dialog or drawer closes. Dialogs here depend on the address or on a condition, so they
 * leave the tree at once and take the focus with them: it returns to the page's last focused element, or, when the
 * dialog deleted that, to the list's row in the tab order.
 */
export function useReturnFocus(): void {
  useEffect(() => {
    const page = document.querySelector<HTMLElement>('#root');
    if (page === null) return undefined;
    let last: HTMLElement | null = null;
    const remember = ({ target }: FocusEvent): void => {
      // A dialog takes the focus a moment after it opens: Tab may lead on behind it until then.
      if (target instanceof HTMLElement && document.querySelector(DIALOG) === null) last = target;
    };
    const goBack = (): void => {
      const isLost = document.activeElement === null || document.activeElement === document.body;
      if (!isLost || document.querySelector(DIALOG) !== null) return;
      const place = last?.isConnected === true ? last : page.querySelector<HTMLElement>('tr[tabindex="0"]');
      place?.focus({ preventScroll: true });
    };
    // Dialogs are mounted in containers beside the page. Of a question, which may leave after the dialog that it
    // closes, the kit keeps the outermost element: what goes is deeper in its container.
    const closing = new MutationObserver((changes) => {
      if (changes.some(({ removedNodes }) => [...removedNodes].some(isDialog))) goBack();
    });
    const watch = (nodes: Iterable<Node>): void => {
      for (const node of nodes) if (node !== page) closing.observe(node, { childList: true, subtree: true });
    };
    const containers = new MutationObserver((changes) => changes.forEach(({ addedNodes }) => watch(addedNodes)));
    watch(document.body.children);
    page.addEventListener('focusin', remember);
    containers.observe(document.body, { childList: true });
    return () => {
      page.removeEventListener('focusin', remember);
      containers.disconnect();
      closing.disconnect();
    };
  }, []);
}

function isDialog(node: Node): boolean {
  return node instanceof Element && (node.matches(DIALOG) || node.querySelector(DIALOG) !== null);
}
