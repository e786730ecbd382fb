import { expect, test } from 'vitest';
import { shellWord } from './finding.ts';

test('a path with blanks or quotes is one word for the shell', () => {
  expect(shellWord('/srv/панель-1', 'linux')).toBe('/srv/панель-1');
  expect(shellWord('/Users/x/Library/Application Support/Switchyard', 'darwin')).toBe(
    "'/Users/x/Library/Application Support/Switchyard'",
  );
  expect(shellWord("/srv/it's $HOME", 'linux')).toBe(String.raw`'/srv/it'\''s $HOME'`);
  expect(shellWord('C:\\Users\\A B', 'win32')).toBe('"C:\\Users\\A B"');
});
