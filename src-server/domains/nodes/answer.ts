import * as z from 'zod';
import { DomainError } from '../../contract/domain-error.ts';

/** Of an answer that is none of ours, as much is shown. */
const SNIPPET_CHARACTERS = 200;

const Envelope = z.object({ success: z.boolean(), msg: z.string().default(''), obj: z.unknown().optional() });

/**
 * What a panel says in an answer.
 * @throws {DomainError} `node.badAnswer`; `node.refused`, a word of the node itself: only this one may be believed to mean
 *   "not found"
 */
export function readAnswer<T extends z.ZodType>(text: string, result: T): z.output<T> {
  const envelope = Envelope.safeParse(parsed(text));
  if (!envelope.success) throw new DomainError('node.badAnswer', { text: 'not an answer of a panel' });
  const { success, msg, obj } = envelope.data;
  if (!success) throw new DomainError('node.refused', { text: printable(msg) });
  const read = result.safeParse(obj);
  if (!read.success) throw new DomainError('node.badAnswer', { text: printable(z.prettifyError(read.error)) });
  return read.data;
}

/** The node's words are input like any other: one line, no control characters, not endless. */
export function printable(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replaceAll(/[\u0000-\u001f\u007f]+/g, ' ').slice(0, SNIPPET_CHARACTERS);
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
