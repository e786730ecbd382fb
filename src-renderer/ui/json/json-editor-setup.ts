import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  completionStatus,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json, jsonParseLinter } from '@codemirror/lang-json';
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { linter, lintGutter, lintKeymap } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap, searchPanelOpen } from '@codemirror/search';
import { EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { classHighlighter } from '@lezer/highlight';
import { schemaHints, type JsonSchema } from './json-editor-schema.ts';
import { OWN_ESCAPE } from '../dialogs.ts';

/** The style of JSON in every view; colours come from the style sheet beside it. */
export const jsonLook: Extension = [json(), syntaxHighlighting(classHighlighter), lineNumbers(), foldGutter()];

const parse = jsonParseLinter();

/** While a panel or hints are open, Escape closes them first. */
const escapeHere: Extension = [
  EditorView.contentAttributes.of(({ state }) => ({
    [OWN_ESCAPE]: String(searchPanelOpen(state) || completionStatus(state) !== null),
  })),
  EditorView.updateListener.of(({ view }) => {
    for (const part of view.dom.querySelectorAll('.cm-panel :is(input, button)')) part.setAttribute(OWN_ESCAPE, 'true');
  }),
];

/**
 * Extensions that make a text field a JSON editor. Tab leaves the field, as everywhere: Escape is not needed first.
 * @param phrases words of the search panel in the language of the page
 */
export function jsonEditing(schema: JsonSchema | undefined, phrases: Record<string, string>): Extension {
  return [
    jsonLook,
    history(),
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    highlightActiveLine(),
    highlightSelectionMatches(),
    lintGutter(),
    // A blank text is not a mistake yet.
    linter((view) => (view.state.doc.toString().trim() === '' ? [] : parse(view)), { delay: 250 }),
    autocompletion(schema === undefined ? { override: [] } : { override: [schemaHints(schema)] }),
    escapeHere,
    EditorView.lineWrapping,
    EditorState.phrases.of(phrases),
    EditorState.tabSize.of(2),
    keymap.of([
      ...closeBracketsKeymap,
      ...defaultKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...foldKeymap,
      ...completionKeymap,
      ...lintKeymap,
    ]),
  ];
}
