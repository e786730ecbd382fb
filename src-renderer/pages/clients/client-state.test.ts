import { expect, test } from 'vitest';
import type { SlimClientRow } from '#contract/clients/list';
import { stateOf } from './client-state.ts';

const NOW = 1_000;
const NOBODY = { depleted: new Set<string>(), expiring: new Set<string>() };
const DEPLETED = { depleted: new Set(['a']), expiring: new Set<string>() };
const stateIn = (part: object, sets: typeof NOBODY) =>
  stateOf(
    { email: 'a', enable: true, totalGB: 0, expiryTime: 0, traffic: { up: 5, down: 5 }, ...part } as SlimClientRow,
    sets,
    NOW,
  );

test.each([
  [{}, NOBODY, 'active'],
  [{ enable: false, expiryTime: NOW + 1 }, NOBODY, 'disabled'],
  [{ enable: false, totalGB: 10 }, DEPLETED, 'exhausted'],
  [{ totalGB: 10, expiryTime: NOW + 1 }, DEPLETED, 'exhausted'],
  [{ expiryTime: NOW }, DEPLETED, 'expired'],
  [{ totalGB: 10, expiryTime: NOW }, DEPLETED, 'expired'],
  // By the server's clock, which is ahead of this one.
  [{ totalGB: 11, expiryTime: NOW + 1 }, DEPLETED, 'expired'],
])('%j: %#', (part, sets, state) => expect(stateIn(part, sets)).toBe(state));
