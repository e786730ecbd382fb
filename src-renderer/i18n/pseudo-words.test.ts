import { describe, expect, it } from 'vitest';
import { pseudoWord } from './pseudo-words.ts';

describe('pseudo words', () => {
  it('doubles short words without breaking them in two', () => expect(pseudoWord('Save')).toBe('⟦Savelore⟧'));
  it('lengthens sentences by a third', () =>
    expect(pseudoWord('Everything in the file comes along.')).toBe(
      '⟦Everything in the file comes along. lorem ipsum⟧',
    ));
  it('lengthens the longest ones too', () => expect(pseudoWord('word '.repeat(80))).toMatch(/^⟦.{535,542}⟧$/));
});
