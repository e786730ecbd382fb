import * as z from 'zod';
import { DomainError } from '../../contract/domain-error.ts';
import { ValidationError, ValidationIssue } from '../../contract/envelope.ts';

/** Of an answer that is none of ours, as much is shown. */
const SNIPPET_CHARACTERS = 200;

/** A value of a refusal that is longer says no more. */
const MAX_PARAM_CHARACTERS = 1_024;

/** What a panel of this product says besides its words. */
const Reported = z.object({
  code: z.string().regex(/^[\w.]{1,64}$/),
  params: z
    .record(z.string().max(64), z.union([z.string().transform(oneLine), z.number()]))
    .refine((params) => Object.keys(params).length <= 16),
});

/** Fields that it refused; older panels send no codes with them. */
const ToldIssues = z.object({
  issues: z
    .array(
      ValidationIssue.extend({
        field: z.string().transform(oneLine),
        message: z.string().transform(oneLine),
        code: Reported.shape.code.catch(''),
        params: Reported.shape.params.catch({}),
      }),
    )
    .min(1)
    .max(16),
});

const Envelope = z.object({
  success: z.boolean(),
  msg: z.string().default(''),
  obj: z.unknown().optional(),
  error: Reported.optional().catch(undefined),
});

/**
 * What a panel says in an answer.
 * @throws {DomainError} `node.badAnswer`; `node.refused`, a word of the node itself: only this one may be believed to mean
 *   "not found"
 */
export function readAnswer<T extends z.ZodType>(text: string, result: T): z.output<T> {
  const envelope = Envelope.safeParse(parsed(text));
  if (!envelope.success) throw new DomainError('node.badAnswer', { text: 'not an answer of a panel' });
  const { success, msg, obj, error } = envelope.data;
  if (!success) {
    const { issues = [] } = ToldIssues.safeParse(obj).data ?? {};
    // A failure of one code with a place of its own is told by that code.
    const isOfFields = issues.some(({ rule }) => rule !== error?.code);
    const cause = isOfFields ? new ValidationError(issues) : error && new DomainError(error.code, error.params);
    throw new DomainError('node.refused', { text: printable(isOfFields ? cause!.message : msg) }, { cause });
  }
  const read = result.safeParse(obj);
  if (!read.success) throw new DomainError('node.badAnswer', { text: printable(z.prettifyError(read.error)) });
  return read.data;
}

/** The node's words are input like any other: one line, no control characters, not endless. */
export function printable(text: string): string {
  return oneLine(text).slice(0, SNIPPET_CHARACTERS);
}

function oneLine(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replaceAll(/[\u0000-\u001f\u007f]+/g, ' ').slice(0, MAX_PARAM_CHARACTERS);
}

/** The beginning of something that is no answer of ours, escaped. */
export const snippet = (text: string): string => JSON.stringify(text.slice(0, SNIPPET_CHARACTERS));

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
