import { unifiedMergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './json-editor.module.css';
import { nameFolds, reachableFolds } from './json-diff-folds.ts';
import { jsonLook } from './json-editor-setup.ts';

/** The comparison itself, its own chunk. */
export function JsonDiffView({ before, after }: { before: string; after: string }) {
  const { t } = useTranslation('jsonEditor');
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (frame.current === null) return undefined;
    const editor = new EditorView({
      parent: frame.current,
      state: EditorState.create({
        doc: after,
        extensions: [
          jsonLook,
          unifiedMergeView({ original: before, mergeControls: false, collapseUnchanged: { margin: 3, minSize: 6 } }),
          reachableFolds,
          EditorState.readOnly.of(true),
          EditorState.phrases.of({ '$ unchanged lines': t('unchanged') }),
          EditorView.contentAttributes.of({ 'aria-label': t('difference'), tabindex: '0', 'aria-readonly': 'true' }),
          EditorView.lineWrapping,
        ],
      }),
    });
    nameFolds(editor);
    return () => editor.destroy();
  }, [before, after, t]);
  return <div ref={frame} dir="ltr" className={classes['editor']} />;
}
