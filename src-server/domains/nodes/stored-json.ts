import type * as z from 'zod';
import { Node } from './contract.ts';
import type { NodeRow } from './stored-types.ts';

/**
 * Reads a column with JSON. Text that is none or has another shape, as after an edit by hand, counts as `otherwise`: one
 * field must neither hide all nodes nor keep the panel from starting.
 */
export function readStored<T>(schema: z.ZodType<T>, json: string, otherwise: T): T {
  if (json === '') return otherwise;
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return otherwise;
  }
  return schema.safeParse(value).data ?? otherwise;
}

export const tagsOf = ({ inboundTags }: NodeRow): string[] => readStored(Node.shape.inboundTags, inboundTags, []);
