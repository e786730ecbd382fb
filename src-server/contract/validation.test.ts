import { expect, test } from 'vitest';
import * as z from 'zod';
import { toValidationIssues } from './validation.ts';

test.each([
  [z.string().max(3), 'four', 'name: takes at most 3 characters'],
  [z.string().min(3), 'no', 'name: needs at least 3 characters'],
  [z.array(z.string()).max(1), ['a', 'b'], 'name: takes at most 1 entries'],
  [z.array(z.string()).min(1), [], 'name: needs at least 1 entries'],
])('a length is told in what the field holds', (schema, value, message) => {
  const { error } = z.object({ name: schema }).safeParse({ name: value }, { reportInput: true });
  expect(toValidationIssues(error!)).toMatchObject([{ message, rule: message.includes('most') ? 'max' : 'min' }]);
});
