import { create, type StoreApi, type UseBoundStore } from 'zustand';
import type { Json, JsonObject } from '#wire/json';
import { CallError } from '../../api/transport.ts';
import { placedWords } from '../../i18n/refusal-words.ts';
import { isSame } from './differences.ts';
import { jsonText, readObject, stepsOf, writeAt } from './json.ts';

/** Undo steps kept. Drafts share what did not change, so a step costs little. */
const KEPT_STEPS = 100;

/** A refusal, with the place it belongs to. */
export interface Issue {
  /** Dotted; empty = the whole object. */
  path: string;
  /** For the field itself. */
  message: string;
  /** For other places: includes the field's name. */
  placed: string;
}

/** One JSON object being edited, seen as fields and as text. Unchanged parts keep their identity. */
export interface DraftState {
  /** The stored object; null when the stored text is not an object. */
  start: JsonObject | null;
  /** The stored text as it was loaded, where it was a text. */
  startText: string | null;
  draft: JsonObject;
  /** Typed JSON while it is not an object; the last good draft stays. */
  looseText: string | null;
  /** Typed JSON with its own white space, while it equals the draft. */
  typedText: string | null;
  issues: readonly Issue[];
  /** What the last change of kind dropped, and the draft before it. */
  lost: { paths: readonly string[]; before: JsonObject } | null;
  past: readonly JsonObject[];
  future: readonly JsonObject[];
  /** Name of the field being typed in: its keystrokes are one undo step. */
  typing: string;

  /** Paths are dotted: `streamSettings.wsSettings.path`. Undefined removes. */
  edit: (path: string, value: Json | undefined) => void;
  /** Several places at once, for generators. */
  editMany: (values: Readonly<Record<string, Json>>) => void;
  /** @param field keystrokes in one field are one undo step */
  change: (next: (draft: JsonObject) => JsonObject, field?: string) => void;
  /** A different draft, with what the change dropped. */
  replace: (draft: JsonObject, dropped?: readonly string[]) => void;
  undoLoss: () => void;
  typeText: (text: string) => void;
  undo: () => void;
  redo: () => void;
  /** Starts from the stored object or text. */
  load: (stored: JsonObject | string) => void;
  /** The stored object has changed: the draft stays, or becomes `draft`. */
  rebase: (stored: JsonObject | string, draft?: JsonObject) => void;
  discard: () => void;
  refuse: (issues: readonly Issue[]) => void;
}
export type DraftStore = UseBoundStore<StoreApi<DraftState>>;

/** Fields read their own place of it, so that a keystroke renders one field. */
export function createDraft(stored: JsonObject = {}): DraftStore {
  return create<DraftState>((set, get) => {
    const put = (draft: JsonObject, touched: readonly string[], part: Partial<DraftState> = {}): void =>
      set((before) => {
        const { typing = '' } = part;
        const isSameStep = typing !== '' && typing === before.typing && before.past.length > 0;
        return {
          draft,
          looseText: null,
          typedText: null,
          issues: without(before.issues, touched),
          past: isSameStep ? before.past : [...before.past, before.draft].slice(-KEPT_STEPS),
          future: [],
          typing,
          ...part,
        };
      });
    const isAsItWas = (draft: JsonObject): boolean => draft === get().draft && get().looseText === null;
    return {
      ...loaded(stored),
      edit: (path, value) => {
        const draft = writeAt(get().draft, path, value);
        if (!isAsItWas(draft)) put(draft, [path], { typing: path });
      },
      editMany: (values) =>
        put(
          Object.entries(values).reduce((at, [path, value]) => writeAt(at, path, value), get().draft),
          Object.keys(values),
        ),
      change: (next, typing = '') => {
        const draft = next(get().draft);
        if (!isAsItWas(draft)) put(draft, [''], { typing });
      },
      replace: (draft, dropped = []) =>
        put(draft, ['protocol', 'settings', 'streamSettings'], {
          lost: dropped.length === 0 ? null : { paths: dropped, before: get().draft },
        }),
      undoLoss: () => {
        const { lost } = get();
        if (lost !== null) put(lost.before, [''], { lost: null });
      },
      typeText: (text) => {
        const draft = readObject(text);
        if (draft === null) set({ looseText: text });
        else put(draft, [''], { typedText: text, typing: 'text' });
      },
      undo: () =>
        set(({ past, future, draft }) => {
          const before = past.at(-1);
          return before === undefined ? {} : stepTo(before, past.slice(0, -1), [draft, ...future]);
        }),
      redo: () =>
        set(({ past, future: [next, ...future], draft }) =>
          next === undefined ? {} : stepTo(next, [...past, draft], future),
        ),
      load: (stored) =>
        set(({ draft, typedText }) => {
          const fresh = loaded(stored);
          return isSame(fresh.start ?? undefined, draft) ? { ...fresh, typedText } : fresh;
        }),
      rebase: (stored, draft) => {
        const { start, startText } = loaded(stored);
        set({ start, startText });
        if (draft !== undefined) put(draft, [''], { lost: null });
      },
      discard: () => get().load(get().startText ?? get().start ?? {}),
      refuse: (issues) => set({ issues }),
    };
  });
}

/** Whether leaving would lose something. */
export function isDirty({ start, startText, draft, looseText }: DraftState): boolean {
  if (looseText !== null) return looseText !== startText;
  return start === null || !isSame(start, draft);
}

/** The whole object as text, as typed if it was typed. */
export function textOf({ draft, looseText, typedText }: DraftState): string {
  return looseText ?? typedText ?? jsonText(draft);
}

/** Why a place was refused. */
export function issueAt(issues: readonly Issue[], path: string): string | undefined {
  return issues.find((issue) => issue.path === path)?.message;
}

/** What a refused save reports. @param whole place for a refusal that names none */
export function issuesOf(error: Error, whole = ''): Issue[] {
  if (!(error instanceof CallError) || error.issues.length === 0)
    return [{ path: whole, message: error.message, placed: error.message }];
  // `certificates[0].keyFile` of the wire is `certificates.0.keyFile` here.
  return error.issues.map((issue) => ({
    path: stepsOf(issue.field).join('.'),
    message: issue.message,
    placed: placedWords(issue),
  }));
}

function loaded(stored: JsonObject | string) {
  const isText = typeof stored === 'string';
  const start = isText ? readObject(stored) : stored;
  return {
    start,
    startText: isText ? stored : null,
    draft: start ?? {},
    looseText: isText && start === null ? stored : null,
    typedText: null,
    issues: [],
    lost: null,
    past: [],
    future: [],
    typing: '',
  };
}

function stepTo(draft: JsonObject, past: readonly JsonObject[], future: readonly JsonObject[]): Partial<DraftState> {
  return { draft, past, future, looseText: null, typedText: null, typing: '' };
}

/** The same array when nothing is removed, so that no reader of it renders again. */
function without(issues: readonly Issue[], touched: readonly string[]): readonly Issue[] {
  const kept = issues.filter(
    ({ path }) => !touched.some((at) => at === '' || path === at || path.startsWith(`${at}.`)),
  );
  return kept.length === issues.length ? issues : kept;
}
