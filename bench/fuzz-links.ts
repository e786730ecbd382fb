/**
 * Parses many damaged links and says how it went: `node bench/fuzz-links.ts [inputs] [seed]`.
 * A throw ends it with the input; the slowest input is named, so that a pattern that trips is seen.
 */
import { readFileSync } from 'node:fs';
import { parseLink } from '../src-server/links/parse/parse-link.ts';

const INPUTS = Number(process.argv[2] ?? 1_000_000);
const SEED = Number(process.argv[3] ?? 1);
const MARKS = [
  '%',
  '#',
  '?',
  '@',
  ':',
  '[',
  ']',
  '&',
  '=',
  '/',
  '+',
  '\0',
  '\r\n',
  '\u202e',
  '{{',
  '"',
  '%25',
  '🇳🇴',
  '\ud800',
];

const golden = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../src-server/links/golden/${name}`, import.meta.url), 'utf8'));
const links = [
  ...(golden('share-links.json') as { links: string[] }[]).flatMap((example) => example.links),
  ...(golden('parsed-links.json') as { link: string }[]).map((example) => example.link),
];

let state = SEED;
/** A whole number below `limit`; the same series for the same seed. */
function below(limit: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
  return Math.floor(((state >>> 0) / 2 ** 32) * limit);
}

const pick = (texts: readonly string[]): string => texts[below(texts.length)] ?? '';

function damage(text: string): string {
  const at = below(text.length + 1);
  switch (below(5)) {
    case 0:
      return text.slice(0, at) + pick(MARKS) + text.slice(at);
    case 1:
      return text.slice(0, at) + text.slice(at + 1 + below(8));
    case 2:
      return text.slice(0, at) + pick(links).slice(below(80));
    case 3:
      return text.slice(0, at) + pick(MARKS).repeat(below(200)) + text.slice(at);
    default:
      return text.slice(0, at) + String.fromCharCode(below(65_536)) + text.slice(at + 1);
  }
}

let read = 0;
let slowestMs = 0;
let slowest = '';
const began = performance.now();
for (let count = 0; count < INPUTS; count++) {
  let link = pick(links);
  for (let times = 1 + below(4); times > 0; times--) link = damage(link);
  const start = performance.now();
  try {
    if ('outbound' in parseLink(link)) read++;
  } catch (error) {
    process.stderr.write(`${JSON.stringify(link)} ${String(error)}\n`);
    process.exit(1);
  }
  const ms = performance.now() - start;
  if (ms > slowestMs) [slowestMs, slowest] = [ms, link];
}
const seconds = (performance.now() - began) / 1000;
process.stdout.write(
  `${INPUTS} inputs, seed ${SEED}: ${read} read, ${INPUTS - read} refused, none broke it, ${seconds.toFixed(1)} s\n`,
);
process.stdout.write(`slowest ${slowestMs.toFixed(1)} ms: ${JSON.stringify(slowest.slice(0, 200))}\n`);
