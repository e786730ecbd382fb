import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const SOURCES = join(import.meta.dirname, '../..');

/** Rows of these have only a time, or a kind that many of them share. */
const WITHOUT_NAMES = [
  'pages/clients/drawer/client-ledger.tsx',
  // Its rows are drawn elsewhere.
  'pages/clients/list/client-table.tsx',
  'pages/settings/notifications/webhook-log.tsx',
  'pages/traffic/traffic-table.tsx',
];

it('a screen reader hears with every cell which row it is in', () => {
  const unnamed = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.tsx') && !file.endsWith('.test.tsx'))
    .filter((file) => {
      const source = readFileSync(join(SOURCES, file), 'utf8');
      return (
        /<(?:Table\.Tr|tr)\b/.test(source) && /<(?:Table\.Td|td)\b/.test(source) && !source.includes('scope="row"')
      );
    });
  expect(unnamed.sort()).toEqual(WITHOUT_NAMES);
});
