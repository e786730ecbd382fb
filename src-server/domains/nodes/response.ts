import * as z from 'zod';
import { DomainError } from '../../contract/domain-error.ts';
import { ValidationError, ValidationIssue } from '../../contract/envelope.ts';

/** How much of a response that is not ours is shown. */
const SNIPPET_CHARACTERS = 200;

/** Longer values in a refusal carry no more information. */
const MAX_PARAM_CHARACTERS = 1_024;

/** What a panel of this product sends besides its message. */
const Reported = z.object({
  code: z.string().regex(/^[\w.]{1,64}$/),
  params: z
    .record(z.string().max(64), z.union([z.string().transform(oneLine), z.number()]))
    .refine((params) => Object.keys(params).length <= 16),
});

/** Refused fields; older panels send no codes with them. */
const ReportedIssues = z.object({
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
 * Reads the content of a panel's response.
 * @throws {DomainError} `node.badAnswer`; `node.refused` when the node itself refuses: only this one can be trusted to
 *   mean "not found"
 */
export function readResponse<T extends z.ZodType>(text: string, result: T): z.output<T> {
  const envelope = Envelope.safeParse(parsed(text));
  if (!envelope.success) throw new DomainError('node.badAnswer', { text: 'not an answer of a panel' });
  const { success, msg, obj, error } = envelope.data;
  if (!success) {
    const { issues = [] } = ReportedIssues.safeParse(obj).data ?? {};
    // A single failure whose code has its own text is reported by that code.
    const isOfFields = issues.some(({ rule }) => rule !== error?.code);
    const cause = isOfFields ? new ValidationError(issues) : error && new DomainError(error.code, error.params);
    throw new DomainError('node.refused', { text: printable(isOfFields ? cause!.message : msg) }, { cause });
  }
  const read = result.safeParse(obj);
  if (!read.success) throw new DomainError('node.badAnswer', { text: printable(z.prettifyError(read.error)) });
  return read.data;
}

/** Text from the node is untrusted input: reduced to one line, without control characters, limited in length. */
export function printable(text: string): string {
  return oneLine(text).slice(0, SNIPPET_CHARACTERS);
}

function oneLine(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replaceAll(/[\u0000-\u001f\u007f]+/g, ' ').slice(0, MAX_PARAM_CHARACTERS);
}

/** The start of a response that is not ours, escaped. */
export const snippet = (text: string): string => JSON.stringify(text.slice(0, SNIPPET_CHARACTERS));

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
