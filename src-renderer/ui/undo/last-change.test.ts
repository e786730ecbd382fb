import { expect, it } from 'vitest';
import { noteChange, takeChanges } from './last-change.ts';

it.each([
  ['/panel/api/clients/bulkAdjust', true],
  ['/panel/api/clients/groups/delete', true],
  ['/panel/api/plans/apply/3', true],
  ['/panel/api/clients/update/anna', false],
])('%s offers its undo: %s', (path, isOffered) => {
  noteChange(path, '7,8');
  expect(takeChanges()).toEqual(isOffered ? [7, 8] : []);
});
