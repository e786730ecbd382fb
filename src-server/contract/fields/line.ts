import * as z from 'zod';
import type { FieldCode } from './field-texts.ts';

/** One line of text, trimmed, without control characters: many of these end up in headers, addresses, queries and logs. */
export const line = (maxLength: number) =>
  z
    .string()
    .trim()
    .max(maxLength)
    .refine((text) => !/\p{Cc}/u.test(text), 'field.line' satisfies FieldCode);
