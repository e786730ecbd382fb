import type { JsonObject } from '#wire/json';
import { create } from 'zustand';
import { isSame } from './json-edit.ts';

/** Steps that can be taken back. Templates share what did not change, so a step costs little. */
const KEPT_STEPS = 100;

interface Draft {
  /** The stored template as the server wrote it; null until it is loaded. */
  storedText: string | null;
  /** The same as an object; null when the stored text is no template. */
  stored: JsonObject | null;
  template: JsonObject | null;
  /** What is typed in the template's editor while it is no JSON object; null = `template` stands. */
  looseText: string | null;
  storedUrl: string;
  testUrl: string;
  /** Counts every change, for what is derived from the draft with delay. */
  revision: number;
  past: readonly JsonObject[];
  future: readonly JsonObject[];
  /** Name of the field that is being typed in: its keystrokes are one step. */
  typing: string;

  load: (text: string, testUrl: string) => void;
  /** @param field keystrokes in one field are one step to take back */
  edit: (change: (template: JsonObject) => JsonObject, field?: string) => void;
  /** The whole template as text. */
  type: (text: string) => void;
  setTestUrl: (url: string) => void;
  undo: () => void;
  redo: () => void;
  discard: () => void;
  /** Another admin saved meanwhile: the draft stays, and counts as changes of theirs. */
  keepOver: (text: string, testUrl: string) => void;
}

/** One draft over all sections. It outlives the page, so that nothing typed is lost on the way to another section. */
export const useDraft = create<Draft>((set) => ({
  storedText: null,
  stored: null,
  template: null,
  looseText: null,
  storedUrl: '',
  testUrl: '',
  revision: 0,
  past: [],
  future: [],
  typing: '',

  load: (text, testUrl) => set(({ revision }) => ({ ...loaded(text, testUrl), revision: revision + 1 })),
  edit: (change, field = '') => set((draft) => edited(draft, change, field)),
  type: (text) =>
    set((draft) => {
      const template = readTemplate(text);
      if (template === null) return { looseText: text, revision: draft.revision + 1 };
      return { ...edited({ ...draft, looseText: null }, () => template, 'text'), looseText: null };
    }),
  setTestUrl: (testUrl) => set(({ revision }) => ({ testUrl, revision: revision + 1 })),
  undo: () =>
    set(({ past, future, template, revision }) => {
      const before = past.at(-1);
      if (before === undefined || template === null) return {};
      const later = [template, ...future];
      return {
        template: before,
        past: past.slice(0, -1),
        future: later,
        looseText: null,
        typing: '',
        revision: revision + 1,
      };
    }),
  redo: () =>
    set(({ past, future, template, revision }) => {
      const [next, ...later] = future;
      if (next === undefined || template === null) return {};
      return {
        template: next,
        past: [...past, template],
        future: later,
        looseText: null,
        typing: '',
        revision: revision + 1,
      };
    }),
  discard: () =>
    set(({ storedText, storedUrl, revision }) => ({ ...loaded(storedText ?? '', storedUrl), revision: revision + 1 })),
  keepOver: (text, testUrl) =>
    set(({ revision }) => ({
      storedText: text,
      stored: readTemplate(text),
      storedUrl: testUrl,
      revision: revision + 1,
    })),
}));

/** An object in a text; null for anything else. */
export function readTemplate(text: string): JsonObject | null {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
  } catch {
    return null;
  }
}

export function isDirty({ stored, template, looseText, storedUrl, testUrl, storedText }: Draft): boolean {
  if (storedText === null) return false;
  if (looseText !== null) return looseText !== storedText;
  return testUrl !== storedUrl || stored === null || (stored !== template && !isSame(stored, template ?? undefined));
}

function loaded(text: string, testUrl: string) {
  const template = readTemplate(text);
  return {
    storedText: text,
    stored: template,
    template,
    looseText: template === null ? text : null,
    storedUrl: testUrl,
    testUrl,
    past: [],
    future: [],
    typing: '',
  };
}

function edited(draft: Draft, change: (template: JsonObject) => JsonObject, field: string): Partial<Draft> {
  const { template, past, typing, revision } = draft;
  const before = template ?? {};
  const after = change(before);
  if (after === before) return {};
  const isSameStep = field !== '' && field === typing && past.length > 0;
  return {
    template: after,
    past: isSameStep ? past : [...past, before].slice(-KEPT_STEPS),
    future: [],
    typing: field,
    revision: revision + 1,
  };
}
