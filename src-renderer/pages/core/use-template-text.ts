import { useEffect, useState } from 'react';
import { readTemplate, useDraft } from './model/draft-store.ts';
import { isSame } from './model/json-edit.ts';

/** The draft as text. What is typed keeps its own spacing; a change made elsewhere (undo, discard) writes it anew. */
export function useTemplateText(): { text: string; setText: (text: string) => void } {
  const template = useDraft((draft) => draft.template);
  const looseText = useDraft((draft) => draft.looseText);
  const type = useDraft((draft) => draft.type);
  const [text, setTyped] = useState(() => looseText ?? JSON.stringify(template, null, 2));
  useEffect(() => {
    setTyped((typed) => {
      if (looseText !== null) return looseText;
      return isSame(readTemplate(typed) ?? undefined, template ?? undefined)
        ? typed
        : JSON.stringify(template, null, 2);
    });
  }, [template, looseText]);
  const setText = (typed: string): void => {
    setTyped(typed);
    type(typed);
  };
  return { text, setText };
}
