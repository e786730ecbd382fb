import type { PostProcessorModule } from 'i18next';

/** A word up to this long may be twice as long in another language; longer texts grow by about a third. */
const SHORT = 12;
const FILLER = ' lorem ipsum dolor sit amet consectetur adipiscing elit';

/**
 * Every text of the interface longer and in brackets, made from the language on show: what is cut off, and what stands in the
 * code instead of the texts, is seen at a glance.
 */
export const pseudoWords: PostProcessorModule = { type: 'postProcessor', name: 'pseudoWords', process: pseudoWord };

export function pseudoWord(text: string): string {
  const more = Math.ceil(text.length * (text.length <= SHORT ? 1 : 0.35));
  // One word stays one word, as in languages that join theirs.
  const filler = text.includes(' ') ? FILLER : FILLER.replaceAll(' ', '');
  return `⟦${text}${filler
    .repeat(Math.ceil(more / filler.length))
    .slice(0, more)
    .trimEnd()}⟧`;
}
