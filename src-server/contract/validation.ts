import type * as z from 'zod';
import type { ValidationIssue } from './envelope.ts';
import { fillText, type FieldTexts } from './fields/field-text.ts';
import { FIELD_TEXTS } from './fields/field-texts.ts';

type ZodIssue = z.core.$ZodIssue;
const TEXTS: FieldTexts = FIELD_TEXTS;

/** `settings.clients[0].email`: the JSON path of an issue, as the form addresses it. */
export function fieldPath(path: readonly PropertyKey[]): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else text += text === '' ? String(part) : `.${String(part)}`;
  }
  return text;
}

/**
 * Translates zod's issues into the API's. A check whose message is a code of {@link FIELD_TEXTS} keeps that code;
 * others get theirs from their kind (`field.required`, `field.gte`, …), and may set `params: { rule, param }` to name
 * their own rule. The parse must be asked to report inputs (`reportInput: true`): without them a wrong type looks like
 * a missing field.
 */
export function toValidationIssues(error: { issues: readonly ZodIssue[] }): ValidationIssue[] {
  const byMessage = new Map<string, ValidationIssue>();
  for (const issue of error.issues) {
    const readable = issueOf(issue);
    // Two checks may report the same about a value, for instance about a number beyond the exact range.
    byMessage.set(readable.message, readable);
  }
  return [...byMessage.values()];
}

function issueOf(issue: ZodIssue): ValidationIssue {
  const field = fieldPath(issue.path);
  const { rule, param, code, params } = kindOf(issue);
  const message = `${field === '' ? 'body' : field}: ${fillText(TEXTS[code]?.[1] || issue.message, params)}`;
  return { field, rule, ...(param === undefined ? {} : { param }), code, params, message };
}

function kindOf(issue: ZodIssue): Omit<ValidationIssue, 'field' | 'message'> {
  const own = TEXTS[issue.message];
  if (own !== undefined) {
    const [rule, english, param] = own;
    return {
      rule,
      param,
      code: issue.message,
      params: english.includes('{value}') ? { value: String(issue.input) } : {},
    };
  }
  const { rule, param } = ruleOf(issue);
  // A text has characters, a list entries.
  const unit = 'origin' in issue && issue.origin === 'array' ? 'Entries' : '';
  return { rule, param, code: `field.${rule}${unit}`, params: param === undefined ? {} : { param } };
}

function ruleOf(issue: ZodIssue): { rule: string; param?: string } {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? { rule: 'required' } : { rule: 'type', param: issue.expected };
    case 'too_small':
      return {
        rule: issue.origin === 'number' || issue.origin === 'int' ? 'gte' : 'min',
        param: String(issue.minimum),
      };
    case 'too_big':
      return {
        rule: issue.origin === 'number' || issue.origin === 'int' ? 'lte' : 'max',
        param: String(issue.maximum),
      };
    case 'invalid_value':
      if (issue.input === undefined) return { rule: 'required' };
      return { rule: 'oneof', param: issue.values.map(String).join(' ') };
    case 'invalid_format':
      return { rule: issue.format === 'starts_with' ? 'startswith' : 'format', param: issue.format };
    case 'custom': {
      const rule: unknown = issue.params?.['rule'];
      const param: unknown = issue.params?.['param'];
      return { rule: typeof rule === 'string' ? rule : 'invalid', ...(typeof param === 'string' ? { param } : {}) };
    }
    default:
      return { rule: 'invalid' };
  }
}
