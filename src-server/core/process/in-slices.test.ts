import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import * as base from '../../testing/core-config/base.ts';
import { buildCoreConfig } from '../config/core-config.ts';
import { productBuilder } from './product-builder.ts';

test('building the config of 50,000 clients yields in between, and gives the same result', async () => {
  const hex = (value: number): string => value.toString(16).padStart(12, '0');
  const clients = Array.from({ length: 50_000 }, (_, index) =>
    base.client({ email: `client-${index}@example.com`, id: `b831381d-6324-4d53-ad4f-${hex(index)}` }),
  );
  const source = base.configSource({ inbounds: [base.source({ clients })] });
  let turns = 0;
  const done = new AbortController();
  const counting = (async () => {
    for (; !done.signal.aborted; turns += 1) await nextTurn();
  })();
  const built = await productBuilder.full(source, { ...base.OPTIONS, coreVersion: 'Unknown' });
  done.abort();
  await counting;
  // Tens of milliseconds of work in slices of five: without yielding there would be one turn.
  expect(turns).toBeGreaterThan(3);
  expect(built).toEqual(buildCoreConfig(source, { ...base.OPTIONS, coreVersion: 'Unknown' }));
});
