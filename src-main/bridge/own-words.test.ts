import { expect, it } from 'vitest';
import { ownWords } from './own-words.ts';

it.each([
  ["Error invoking remote method 'panels.show': Error: the process does not start", 'the process does not start'],
  ["Error invoking remote method 'jobs.run': JobFailure: interrupted {}", 'interrupted {}'],
  ["Error invoking remote method 'shell.setChoices': Error: EACCES: permission denied", 'EACCES: permission denied'],
  ['the window is locked', 'the window is locked'],
])('%s', (message, words) => {
  expect(ownWords(new Error(message)).message).toBe(words);
});
