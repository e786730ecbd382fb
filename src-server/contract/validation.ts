import type * as z from 'zod';
import type { ValidationIssue } from './envelope.ts';

type ZodIssue = z.core.$ZodIssue;

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
 * Translates zod's issues into the wire's: rules `required`, `type`, `gte`, `lte`, `min`, `max`, `oneof`, `format`,
 * `startswith` and `invalid`. A check may set `params: { rule, param }` to name its own rule. The parse must have been asked to
 * report inputs (`reportInput: true`): without them a wrong type cannot be told from a missing field.
 */
export function toValidationIssues(error: { issues: readonly ZodIssue[] }): ValidationIssue[] {
  const byMessage = new Map<string, ValidationIssue>();
  for (const issue of error.issues) {
    const field = fieldPath(issue.path);
    const { rule, param } = ruleOf(issue);
    const name = field === '' ? 'body' : field;
    const message = `${name}: ${describe(issue, rule, param)}`;
    // Two checks may say the same of a value, as of a number beyond what is exact.
    byMessage.set(message, param === undefined ? { field, rule, message } : { field, rule, param, message });
  }
  return [...byMessage.values()];
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

function describe(issue: ZodIssue, rule: string, param: string | undefined): string {
  switch (rule) {
    case 'required':
      return 'is required';
    case 'gte':
      return `must be at least ${param}`;
    case 'lte':
      return `must be at most ${param}`;
    case 'min':
      return `needs at least ${param} characters or entries`;
    case 'max':
      return `takes at most ${param} characters or entries`;
    case 'oneof':
      return `must be one of: ${param}`;
    default:
      return issue.message;
  }
}
