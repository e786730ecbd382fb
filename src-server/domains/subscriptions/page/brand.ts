/** Backgrounds of the accent, as in the style sheet. */
const [LIGHT_GROUND, DARK_GROUND] = ['#f3f5f8', '#1a212a'];
const [BLACK, WHITE] = ['#000000', '#ffffff'];
/** Least contrast of text. */
const READABLE = 4.5;
const STEPS = 20;

/** The operator's accent colour, made darker or lighter if it were unreadable. Empty = the page's default. */
export function brandStyle(color: string): string {
  if (!/^#[0-9a-f]{6}$/i.test(color)) return '';
  const light = readable(color, LIGHT_GROUND, BLACK);
  const dark = readable(color, DARK_GROUND, WHITE);
  // As specific as the rules that it overrides.
  return (
    `:root{--accent:${light}}@media (prefers-color-scheme:dark){:root{--accent:${dark}}}` +
    `:root[data-theme=light]{--accent:${light}}:root[data-theme=dark]{--accent:${dark}}`
  );
}

function readable(color: string, ground: string, towards: string): string {
  for (let step = 0; step <= STEPS; step += 1) {
    const mixed = mix(color, towards, step / STEPS);
    if (contrast(mixed, ground) >= READABLE) return mixed;
  }
  return towards;
}

const channels = (color: string): number[] => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));

function mix(color: string, other: string, share: number): string {
  const others = channels(other);
  const mixed = channels(color).map((value, at) => Math.round(value + (others[at]! - value) * share));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

/** Contrast ratio of two colours, from 1 to 21, as defined by WCAG. */
export function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map((value) => {
    const part = value / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
