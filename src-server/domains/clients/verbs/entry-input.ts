import { setImmediate } from 'node:timers/promises';
import { ValidationError, type ValidationIssue } from '../../../contract/envelope.ts';
import type { JsonObject } from '../../../contract/json.ts';
import { toValidationIssues } from '../../../contract/validation.ts';
import { CHUNK_SIZE } from '../bulk/chunked.ts';
import { ClientEntry, type ClientInput } from '../contract.ts';

/**
 * Reads entries of `settings.clients`, yielding to the event loop in between. Nulls count as omitted.
 * @throws {ValidationError} with every issue of every entry, addressed as `settings.clients[3].totalGB`.
 */
export async function readEntries(entries: readonly JsonObject[]): Promise<ClientInput[]> {
  const issues: ValidationIssue[] = [];
  const inputs: ClientInput[] = [];
  for (const [at, entry] of entries.entries()) {
    if (at > 0 && at % CHUNK_SIZE === 0) await setImmediate();
    const given = Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== null));
    const parsed = ClientEntry.safeParse(given, { reportInput: true });
    if (parsed.success) inputs.push(parsed.data);
    else for (const issue of toValidationIssues(parsed.error)) issues.push(inside(`settings.clients[${at}]`, issue));
  }
  if (issues.length > 0) throw new ValidationError(issues);
  return inputs;
}

function inside(parent: string, issue: ValidationIssue): ValidationIssue {
  const field = issue.field === '' ? parent : `${parent}.${issue.field}`;
  return { ...issue, field, message: `${parent}.${issue.message}` };
}
