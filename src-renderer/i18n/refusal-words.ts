import type { Reason, Refusal, ValidationIssue } from '#wire/envelope';
import type { i18n } from 'i18next';
import type { ImportPlan } from '#contract/import';
import type { Job } from '#contract/jobs';
import { getI18n } from 'react-i18next';

/**
 * What was refused, in the language on show; null where this page has no words for the code, as with a newer panel, and in
 * English, which the server speaks.
 */
export function refusalWords({ code, params }: Refusal): string | null {
  const label = labelOf(params);
  return wordsAt('refusals', `code.${code}`, label === null ? params : { ...params, field: label });
}

/** The same, with the server's English in place of words that are not there; a setting is called what the page calls it. */
export function refusalText(refusal: Refusal, english: string): string {
  const label = labelOf(refusal.params);
  const named = label === null ? english : english.replaceAll(String(refusal.params['field']), label);
  return refusalWords(refusal) ?? named;
}

const labelOf = (params: Refusal['params']): string | null =>
  'field' in params ? wordsAt('settings', `field.${params['field']}`) : null;

/** What is wrong with one field, in the language on show, without the field's name. Older panels send no code. */
export function issueWords({
  field,
  message,
  code = '',
  params = {},
}: Omit<ValidationIssue, keyof Refusal> & Partial<Refusal>): string {
  return refusalWords({ code, params }) ?? withoutField(message, field);
}

/** The words of an issue with its field in front, for places that are not at the field. */
export function placedWords({ field, rule, message }: ValidationIssue): string {
  // A rule with a dot is the code of a whole sentence.
  if (field === '' || rule.includes('.')) return message;
  return wordsAt('refusals', 'placed', { field, words: message }) ?? message;
}

/** Why something was left alone, by a bulk call or an import. */
export function reasonWords({ reason, code, params = {}, issues = [] }: Reason): string {
  if (code !== undefined) return refusalText({ code, params }, reason);
  if (issues.length === 0) return reason;
  return issues.map((issue) => placedWords({ ...issue, message: issueWords(issue) })).join(' · ');
}

/** Why a job failed; empty when it did not. An unexpected failure has no code, but its reference in the log. */
export function jobFailureWords({
  error,
  errorCode,
  errorParams = {},
}: Pick<Job, 'error' | 'errorCode' | 'errorParams'>): string {
  return error === '' ? '' : refusalText({ code: errorCode || 'request.unexpected', params: errorParams }, error);
}

/** What kind of thing cannot come along with an import. */
export function leftOutKind({ kind, what }: Pick<ImportPlan['cannotCome'][number], 'kind' | 'what'>): string {
  return wordsAt('refusals', `leftOutKind.${kind}`) ?? what;
}

/** Why a connection failed, of which the system only has a code; what else is told stays as it is. */
export function connectionWords(error: string): string {
  const code = /\bE[A-Z]+(?:_[A-Z]+)?\b/.exec(error)?.[0];
  return (code === undefined ? null : wordsAt('refusals', `connection.${code}`)) ?? error;
}

/** What the page itself says of a call that got no response that it can read. */
export function noResponseWords(status: number): string {
  return wordsAt('refusals', 'noAnswer', { status }) ?? `HTTP ${status}`;
}

/** What the page itself says of a panel that cannot be reached. */
export function unreachableWords(): string {
  return wordsAt('refusals', 'unreachable') ?? 'The panel cannot be reached.';
}

/** The session has ended. Also shown at the form that could not be saved, until it is saved again. */
export function signedOutWords(): string {
  return wordsAt('signIn', 'again') ?? 'signed out';
}

/** The server begins with the place: `settings.port: must be …`, `settings.port must be …`. */
function withoutField(message: string, field: string): string {
  return message.startsWith(field) ? message.slice(field.length).replace(/^:? /, '') : message;
}

/** Null when there are no such words, or when they need what was not sent along. */
function wordsAt(namespace: string, key: string, params: Refusal['params'] = {}): string | null {
  // Not started yet where a transport is used without a page.
  const texts = getI18n() as i18n | undefined;
  const pattern: unknown = texts?.getResource(texts.language, namespace, key);
  if (texts === undefined || typeof pattern !== 'string') return null;
  for (const [, name = ''] of pattern.matchAll(/\{(\w+)(?:\}|, (?:plural|select))/g))
    if (params[name] === undefined) return null;
  return (texts.t as unknown as (key: string, values: object) => string)(`${namespace}:${key}`, params);
}
