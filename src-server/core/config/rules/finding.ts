import type { ValidationIssue } from '../../../contract/envelope.ts';
import { fillText, issueMaker, type Fill } from '../../../contract/fields/field-text.ts';
import { PROTOCOL_TEXTS } from '../texts/protocols.ts';
import { STREAM_TEXTS } from '../texts/streams.ts';
import { PROBLEM_TEXTS, TEMPLATE_TEXTS } from '../texts/template.ts';
import { VALUE_TEXTS } from '../texts/values.ts';

const TEXTS = { ...VALUE_TEXTS, ...STREAM_TEXTS, ...PROTOCOL_TEXTS, ...TEMPLATE_TEXTS };
export const CONFIG_TEXTS = { ...TEXTS, ...PROBLEM_TEXTS };
type Code = keyof typeof TEXTS;
const makeIssue = issueMaker(TEXTS);

/**
 * One thing wrong with a config; `field` is a JSON path such as `streamSettings.realitySettings.shortIds[0]`. Never
 * repeats a key or password. `fatal`: the core refuses the config, panics, fails to start or dies at the first
 * connection, so it must not reach the core. `silent`: the core accepts it without an error but does not do what it
 * says.
 */
export interface Finding extends ValidationIssue {
  severity: 'fatal' | 'silent';
}

/** Without the severity, as the save shows it. */
export function issueOf({ severity: _severity, ...issue }: Finding): ValidationIssue {
  return issue;
}

export type Report = (finding: Finding) => void;

/** `where` is the field path, with which the text of the code begins. */
export function refuse<C extends Code>(
  report: Report,
  where: string,
  code: C,
  ...params: Fill<(typeof TEXTS)[C][number]>
): void {
  report({ ...makeIssue(where, code, ...params), severity: 'fatal' });
}

/** Like {@link refuse}, for what the core accepts without effect. */
export function refuseSilent<C extends Code>(
  report: Report,
  where: string,
  code: C,
  ...params: Fill<(typeof TEXTS)[C][number]>
): void {
  refuse(silently(report), where, code, ...params);
}

/** A report that makes every finding silent: for members that never reach the core. */
export function silently(report: Report): Report {
  return (finding) => report({ ...finding, severity: 'silent' });
}

/** Why a part of the template would not run. */
export interface Problem {
  code: keyof typeof PROBLEM_TEXTS;
  params: Record<string, string>;
  text: string;
}

export function problem(code: Problem['code'], params: Problem['params'] = {}): Problem {
  return { code, params, text: fillText(PROBLEM_TEXTS[code][1], params) };
}

export function refuseToRun(report: Report, field: string, { code, params, text }: Problem): void {
  const [rule] = PROBLEM_TEXTS[code];
  report({ field, rule, code, params, message: `${field} cannot run: ${text}`, severity: 'fatal' });
}
