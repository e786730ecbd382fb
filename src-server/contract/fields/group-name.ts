import type { FieldCode } from './field-texts.ts';
import { line } from './line.ts';

/** `.` and `..` never arrive as a part of an address: whatever sends a URL resolves them against the path. */
export const isDots = (name: string): boolean => name === '.' || name === '..';

/** Label that a group gets; empty where none is given. Groups that predate the rule can still be renamed and deleted. */
export const NewGroupName = line(64)
  .refine((name) => !isDots(name), 'field.dots' satisfies FieldCode)
  .default('');
