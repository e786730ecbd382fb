import { createStore, type StoreApi } from 'zustand';
import type { ValidationIssue } from '#wire/envelope';
import type { Json } from '#wire/json';
import { CallError } from '../../../api/transport.ts';
import { placedWords } from '../../../i18n/refusal-words.ts';
import { draftText, type Draft } from '../model/draft.ts';
import { readAt, writeAt } from '../model/json-path.ts';

/** A refusal, with the place it belongs to. */
export interface Issue {
  path: string;
  /** As it stands at its field. */
  message: string;
  /** As it stands elsewhere, with the field's name. */
  placed: string;
}

/** The state of the editor: one draft, seen as fields and as text. What did not change keeps its identity. */
export interface InboundDraft {
  draft: Draft;
  /** What the draft began as; a save replaces exactly this. */
  start: Draft;
  /** JSON as typed while it is no object; the last good draft stands. */
  looseText: string | null;
  /** JSON as typed, with its own spaces, while it says the draft. */
  typedText: string | null;
  issues: readonly Issue[];
  /** What the last change of kind could not keep, and the draft before it. */
  lost: { paths: readonly string[]; before: Draft } | null;
  /** Paths are dotted: `streamSettings.wsSettings.path`. Undefined removes. */
  edit: (path: string, value: Json | undefined) => void;
  /** Several places at once, as generators fill them. */
  editMany: (values: Readonly<Record<string, Json>>) => void;
  /** Another draft altogether, with what the change could not keep. */
  replace: (draft: Draft, dropped?: readonly string[]) => void;
  typeText: (text: string) => void;
  undoLoss: () => void;
  refuse: (error: Error) => void;
  clearIssues: () => void;
  /** Goes on from another stored inbound; `draft` is what is shown of it. */
  rebase: (start: Draft, draft: Draft) => void;
}
export type InboundDraftStore = StoreApi<InboundDraft>;

/** One per editor on show. Fields read their own place of it, so that a keystroke draws one field. */
export function createInboundDraft(initial: Draft): InboundDraftStore {
  return createStore<InboundDraft>((set, get) => {
    const put = (next: Draft, touched: readonly string[], part: Partial<InboundDraft> = {}): void =>
      set(({ issues }) => ({
        draft: next,
        looseText: null,
        typedText: null,
        issues: without(issues, touched),
        ...part,
      }));
    return {
      draft: initial,
      start: initial,
      looseText: null,
      typedText: null,
      issues: [],
      lost: null,
      edit: (path, value) => put(writeAt(get().draft, path, value), [path]),
      editMany: (values) =>
        put(
          Object.entries(values).reduce((at, [path, value]) => writeAt(at, path, value), get().draft),
          Object.keys(values),
        ),
      replace: (next, dropped = []) =>
        put(next, ['protocol', 'settings', 'streamSettings'], {
          lost: dropped.length === 0 ? null : { paths: dropped, before: get().draft },
        }),
      typeText: (text) => {
        const object = readDraft(text);
        if (object === null) set({ looseText: text });
        else put(object, [''], { typedText: text });
      },
      undoLoss: () => {
        const { lost } = get();
        if (lost !== null) put(lost.before, [''], { lost: null });
      },
      refuse: (error) => set({ issues: issuesOf(error) }),
      clearIssues: () => set({ issues: [] }),
      rebase: (start, draft) => put(draft, [''], { start, lost: null }),
    };
  });
}

/** Whether leaving would lose something. */
export function isDraftDirty({ draft, start, looseText }: InboundDraft): boolean {
  return looseText !== null || (draft !== start && JSON.stringify(draft) !== JSON.stringify(start));
}

/** The whole inbound as text, as typed where it was typed. */
export function textOf({ draft, looseText, typedText }: InboundDraft): string {
  return looseText ?? typedText ?? draftText(draft);
}

/** Whether the clients of a stored inbound would be replaced by what the JSON says. */
export function namesClients(draft: Draft): boolean {
  return readAt(draft, 'settings.clients') !== undefined;
}

/** Why a place was refused. */
export function issueAt(issues: readonly Issue[], path: string): string | undefined {
  return issues.find((issue) => issue.path === path)?.message;
}

/** The same list when nothing of it goes, so that no reader of it renders again. */
function without(issues: readonly Issue[], touched: readonly string[]): readonly Issue[] {
  const kept = issues.filter(({ path }) => !touched.some((at) => isWithin(path, at)));
  return kept.length === issues.length ? issues : kept;
}

function readDraft(text: string): Draft | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Draft) : null;
  } catch {
    return null;
  }
}

const isWithin = (path: string, at: string): boolean => at === '' || path === at || path.startsWith(`${at}.`);

function issuesOf(error: Error): Issue[] {
  if (error instanceof CallError && error.issues.length > 0) return toIssues(error.issues);
  // A port that is taken is refused as a whole, but only one field can mend it.
  const isOfPort = error instanceof CallError && error.code.startsWith('inbound.port');
  return [{ path: isOfPort ? 'port' : '', message: error.message, placed: error.message }];
}

/** `certificates[0].keyFile` of the wire is `certificates.0.keyFile` here. */
function toIssues(issues: readonly ValidationIssue[]): Issue[] {
  return issues.map((issue) => ({
    path: issue.field.replaceAll(/\[(\d+)\]/g, '.$1'),
    message: issue.message,
    placed: placedWords(issue),
  }));
}
