import type { Refusal, ValidationIssue } from '#wire/envelope';
import type { i18n } from 'i18next';
import type { Job } from '#contract/jobs';
import { getI18n } from 'react-i18next';
import { isLanguage, LANGUAGES } from './i18n.ts';

/** What the server says of a broken rule when it has nothing to add; everything else names a remedy. */
const BARE =
  /^(?:is required$|must be (?:at least|at most|one of:) |needs at least \S+ char|takes at most \S+ char|Invalid input)/;
/** Formats that have words of their own. */
const KNOWN_FORMATS = ['url', 'uuid', 'json', 'email', 'line', 'tag', 'ids'];

/** What was refused, in the language on show; null where this page has no words for it, as with a newer panel. */
export function refusalWords({ code, params }: Refusal): string | null {
  const label = wordsAt('settings', `field.${params['field'] ?? ''}`);
  return wordsAt('refusals', `code.${code}`, label === null ? params : { ...params, field: label });
}

/** What is wrong with one field, in the language on show, without the field's name; in the server's words for unknown rules. */
export function issueWords({ field, rule, param = '', message }: ValidationIssue): string {
  const words = wordsAt('refusals', `rule.${rule}`, { param });
  const detail = withoutField(message, field);
  const said = wordsAt('refusals', `detail.${slugOf(detail)}`);
  if (said !== null) return said;
  if (words === null) return detail;
  if (detail === '' || BARE.test(detail) || KNOWN_FORMATS.includes(param)) return words;
  // The server speaks English: there its own words say it all.
  return getI18n().language === 'en' ? detail : (wordsAt('refusals', 'detailed', { words, detail }) ?? words);
}

/** The words of an issue with its field in front, for places that are not at the field. */
export function placedWords({ field, rule, message }: ValidationIssue): string {
  // A rule with a dot is the code of a whole sentence.
  if (field === '' || rule.includes('.')) return message;
  return wordsAt('refusals', 'placed', { field, words: message }) ?? message;
}

/** Why a bulk call left an item alone. */
export function reasonWords({
  reason,
  code,
  params = {},
  issues = [],
}: {
  reason: string;
  code?: string | undefined;
  params?: Refusal['params'] | undefined;
  issues?: readonly ValidationIssue[] | undefined;
}): string {
  if (code !== undefined) return refusalWords({ code, params }) ?? reason;
  if (issues.length === 0) return reason;
  return issues.map((issue) => placedWords({ ...issue, message: issueWords(issue) })).join(' · ');
}

/** Why a job failed; empty when it did not. An unexpected failure has no code, but its reference in the log. */
export function jobFailureWords({
  error,
  errorCode,
  errorParams = {},
}: Pick<Job, 'error' | 'errorCode' | 'errorParams'>): string {
  return error === '' ? '' : (refusalWords({ code: errorCode || 'request.unexpected', params: errorParams }) ?? error);
}

/** Why something in a file cannot come along with an import. */
export function leftOutWords(reason: string): string {
  const value = /"(.*)"/.exec(reason)?.[1];
  const key = slugOf(reason.replace(/".*"/, ''));
  return wordsAt('refusals', `leftOut.${key}`, value === undefined ? {} : { value }) ?? reason;
}

/** What kind of thing cannot come along with an import. */
export function leftOutKind(what: string): string {
  return wordsAt('refusals', `leftOutKind.${slugOf(what)}`) ?? what;
}

/** What the page itself says of a call that got no answer that it can read. */
export function noAnswerWords(status: number): string {
  return wordsAt('refusals', 'noAnswer', { status }) ?? `HTTP ${status}`;
}

/** What the page itself says of a panel that cannot be reached. */
export function unreachableWords(): string {
  return wordsAt('refusals', 'unreachable') ?? 'The panel cannot be reached.';
}

/** The server's sentences about fields are their own keys, as words without signs: `must_be_an_ip_address`. */
const slugOf = (sentence: string): string =>
  sentence
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '');

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
  const isRightToLeft = isLanguage(texts.language) && LANGUAGES[texts.language].direction === 'rtl';
  const values: Record<string, string | number> = {};
  for (const [, name = '', choice] of pattern.matchAll(/\{(\w+)(?:\}|(, (?:plural|select)))/g)) {
    const value = params[name];
    if (value === undefined) return null;
    // What a choice is made by stays as it is, also where it is shown.
    if (name in values) continue;
    // An address or a name keeps its own direction and does not turn the sentence around it.
    values[name] = isRightToLeft && choice === undefined && typeof value === 'string' ? `\u2068${value}\u2069` : value;
  }
  return (texts.t as unknown as (key: string, values: object) => string)(`${namespace}:${key}`, values);
}
