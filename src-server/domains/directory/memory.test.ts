import { expect, test } from 'vitest';
import { createMemory } from './memory.ts';

test('a state that cannot be read now does not count as empty: the next plan would wait for a person', async () => {
  const memory = createMemory({
    hidden: () => Promise.reject(new Error('away')),
    setHidden: async () => undefined,
  });
  await expect(memory.read()).rejects.toThrow('away');
});
