import { expect, test } from 'vitest';
import { complaintOf, fittingProgram } from './client-programs.ts';

const installed = [14, 16, 18].map((major) => ({ path: `/usr/lib/postgresql/${major}/bin/pg_dump`, major }));

test('the program of the server’s own version is taken, else the next one', () => {
  expect([14, 15, 16, 17].map((server) => fittingProgram(installed, server).major)).toEqual([14, 16, 16, 18]);
});

test('what is missing or too old is named, with the version that is needed', () => {
  expect(() => fittingProgram([], 15)).toThrow(
    expect.objectContaining({ code: 'store.dumpProgramMissing', params: { needed: 15 } }) as Error,
  );
  expect(() => fittingProgram(installed, 19)).toThrow(
    expect.objectContaining({ code: 'store.dumpProgramOld', params: { needed: 19, found: 18 } }) as Error,
  );
});

test('a complaint is what a program says of its failure, without what it did', () => {
  expect(
    complaintOf(
      'pg_dump: dumping contents of table "switchyard.clients"\npg_dump: error: query failed\npg_dump: detail: Query was: COPY',
    ),
  ).toBe('query failed');
});
