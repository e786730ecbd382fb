import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './run.ts';

const keyOf = (line: string): string => /^([A-Za-z]+)=/.exec(line)?.[1] ?? '';

test.each(['switchyard.service', 'switchyard-update.service', 'switchyard-update.path'])(
  'every option of %s has its reason above it',
  async (name) => {
    const lines = (await readFile(join(ROOT, 'resources/package', name), 'utf8')).split('\n');
    const bare = lines.filter((line, at) => {
      const above = lines[at - 1] ?? '';
      return keyOf(line) !== '' && !above.startsWith('# ') && keyOf(above) !== keyOf(line);
    });
    expect(bare).toEqual([]);
  },
);
