import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

const FOLD = '.cm-collapsedLines';

/** The unchanged stretches that a click unfolds; makes them buttons for keyboard and screen reader too. */
export const reachableFolds: Extension = [
  EditorView.updateListener.of(({ view }) => nameFolds(view)),
  EditorView.domEventHandlers({
    keydown: ({ key, target }, view) => {
      if ((key !== 'Enter' && key !== ' ') || !(target instanceof HTMLElement) || !target.matches(FOLD)) return false;
      target.click();
      // The button no longer exists.
      view.focus();
      return true;
    },
  }),
];

/** The first folds are drawn before there is an update to listen to. */
export function nameFolds({ dom }: EditorView): void {
  for (const fold of dom.querySelectorAll<HTMLElement>(FOLD)) {
    fold.setAttribute('role', 'button');
    fold.tabIndex = 0;
  }
}
