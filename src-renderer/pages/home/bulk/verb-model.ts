import { CLIENT_VERBS, type BulkVerb, type VerbRequest } from '../../../../src-main/bridge/jobs.ts';
import type { Size } from '../../../forms/size-field.tsx';
import { emailsIn } from '../typed-emails.ts';

export interface VerbDraft {
  verb: BulkVerb;
  emails: string;
  days: number;
  traffic: Size;
  version: string;
  panelIds: string[];
}
export type VerbProblem = 'emailsMissing' | 'amountMissing' | 'versionWrong' | 'panelsMissing';

export const isAboutClients = (verb: BulkVerb): boolean => (CLIENT_VERBS as readonly string[]).includes(verb);

/** The requested action, or what the draft still lacks. */
export function requestOf(draft: VerbDraft): { request: VerbRequest; problems: VerbProblem[] } {
  const { verb, panelIds } = draft;
  const emails = isAboutClients(verb) ? emailsIn(draft.emails) : [];
  const addDays = verb === 'extend' ? draft.days : 0;
  const addBytes = verb === 'extend' ? Number(draft.traffic) : 0;
  const version = verb === 'updateCore' ? draft.version.trim() : 'latest';
  const problems: VerbProblem[] = [];
  if (isAboutClients(verb) && emails.length === 0) problems.push('emailsMissing');
  if (verb === 'extend' && addDays === 0 && addBytes === 0) problems.push('amountMissing');
  if (!/^[\w.+-]{1,64}$/.test(version)) problems.push('versionWrong');
  if (panelIds.length === 0) problems.push('panelsMissing');
  return { request: { verb, panelIds, emails, addDays, addBytes, version }, problems };
}
