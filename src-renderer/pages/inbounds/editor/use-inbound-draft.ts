import { useMemo, useState } from 'react';
import type { ValidationIssue } from '#wire/envelope';
import { CallError } from '../../../api/transport.ts';
import { draftText, type Draft } from '../model/draft.ts';
import { readAt, writeAt } from '../model/json-path.ts';
import type { DraftEditing } from './parts/draft-context.tsx';

/** A refusal, with the place it belongs to. */
export interface Issue {
  path: string;
  message: string;
}

interface State {
  draft: Draft;
  /** JSON as typed while it is no object; the last good draft stands. */
  looseText: string | null;
  /** JSON as typed, with its own spaces, while it says the draft. */
  typedText: string | null;
  issues: readonly Issue[];
  /** What the last change of kind could not keep, and the draft before it. */
  lost: { paths: readonly string[]; before: Draft } | null;
}

/** The state of the editor: one draft, seen as fields and as text. */
export function useInboundDraft(initial: Draft) {
  const [start] = useState(initial);
  const [state, setState] = useState<State>({
    draft: initial,
    looseText: null,
    typedText: null,
    issues: [],
    lost: null,
  });
  return useMemo(() => {
    const { draft, issues } = state;
    const put = (next: Draft, touched: readonly string[], part: Partial<State> = {}): void =>
      setState((before) => ({
        ...before,
        draft: next,
        looseText: null,
        typedText: null,
        issues: before.issues.filter(({ path }) => !touched.some((at) => isWithin(path, at))),
        ...part,
      }));
    const editing: DraftEditing = {
      draft,
      edit: (path, value) => put(writeAt(draft, path, value), [path]),
      editMany: (values) =>
        put(
          Object.entries(values).reduce((at, [path, value]) => writeAt(at, path, value), draft),
          Object.keys(values),
        ),
      replace: (next, dropped = []) =>
        put(next, ['protocol', 'settings', 'streamSettings'], {
          lost: dropped.length === 0 ? null : { paths: dropped, before: draft },
        }),
      issueAt: (path) => shortened(issues.find((issue) => issue.path === path)),
    };
    return {
      ...state,
      editing,
      text: state.looseText ?? state.typedText ?? draftText(draft),
      isDirty: state.looseText !== null || JSON.stringify(draft) !== JSON.stringify(start),
      typeText: (text: string): void => {
        const object = readDraft(text);
        if (object === null) setState((before) => ({ ...before, looseText: text }));
        else put(object, [''], { typedText: text });
      },
      undoLoss: (): void => {
        if (state.lost !== null) put(state.lost.before, [''], { lost: null });
      },
      refuse: (error: Error): void => setState((before) => ({ ...before, issues: issuesOf(error) })),
      clearIssues: (): void => setState((before) => ({ ...before, issues: [] })),
    };
  }, [state, start]);
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
  return [{ path: isOfPort ? 'port' : '', message: error.message }];
}

/** At its own field a message need not repeat where it belongs. */
function shortened(issue: Issue | undefined): string | undefined {
  if (issue === undefined) return undefined;
  const { path, message } = issue;
  const wire = path.replaceAll(/\.(\d+)(?=\.|$)/g, '[$1]');
  const rest = [wire, path].find((name) => name.includes('.') && message.startsWith(`${name} `));
  return rest === undefined ? message : message.slice(rest.length + 1);
}

/** `certificates[0].keyFile` of the wire is `certificates.0.keyFile` here. */
function toIssues(issues: readonly Pick<ValidationIssue, 'field' | 'message'>[]): Issue[] {
  return issues.map(({ field, message }) => ({ path: field.replaceAll(/\[(\d+)\]/g, '.$1'), message }));
}

/** Whether the clients of a stored inbound would be replaced by what the JSON says. */
export function namesClients(draft: Draft): boolean {
  return readAt(draft, 'settings.clients') !== undefined;
}
