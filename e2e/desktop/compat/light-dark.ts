/** One of them is empty and the other switches to what follows it. */
const TOGGLES =
  ':root{--is-light:initial;--is-dark: }:root[data-mantine-color-scheme=dark]{--is-light: ;--is-dark:initial}';
const NAME = 'light-dark(';

/** Colours for both schemes, for an engine without `light-dark()`. */
export function withoutLightDark(css: string): string {
  let written = '';
  let from = 0;
  for (let at = css.indexOf(NAME); at >= 0; at = css.indexOf(NAME, from)) {
    const begin = at + NAME.length;
    let comma = 0;
    let end = begin;
    for (let depth = 1; ; end += 1) {
      const sign = css[end];
      if (sign === '(') depth += 1;
      else if (sign === ')') depth -= 1;
      else if (sign === ',' && depth === 1) comma = end;
      if (depth === 0 || sign === undefined) break;
    }
    written += `${css.slice(from, at)}var(--is-light,${css.slice(begin, comma)}) var(--is-dark,${css.slice(comma + 1, end)})`;
    from = end + 1;
  }
  return from === 0 ? css : TOGGLES + written + css.slice(from);
}
