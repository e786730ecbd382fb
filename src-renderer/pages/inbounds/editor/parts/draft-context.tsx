import { createContext, use } from 'react';
import type { Json } from '#wire/json';
import type { Draft } from '../../model/draft.ts';

/** What a field of the editor works on. Paths are dotted: `streamSettings.wsSettings.path`. */
export interface DraftEditing {
  draft: Draft;
  /** Undefined removes. */
  edit: (path: string, value: Json | undefined) => void;
  /** Several places at once, as generators fill them. */
  editMany: (values: Readonly<Record<string, Json>>) => void;
  /** Another draft altogether, with what the change could not keep. */
  replace: (draft: Draft, dropped?: readonly string[]) => void;
  /** Why a place was refused. */
  issueAt: (path: string) => string | undefined;
}

export const DraftContext = createContext<DraftEditing | null>(null);

/** The inbound that is being edited. */
export function useDraft(): DraftEditing {
  const editing = use(DraftContext);
  if (editing === null) throw new Error('no inbound is being edited');
  return editing;
}
