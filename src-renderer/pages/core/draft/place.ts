import type { Json, JsonObject } from '#wire/json';
import { stepsOf, type Path } from '../../../forms/draft/json.ts';

/** Sections of a template that operators know by name; everything else counts as the template as a whole. */
const PLACES = {
  outbounds: 'outbounds',
  'routing.rules': 'rules',
  'routing.balancers': 'balancers',
  routing: 'routing',
  dns: 'dns',
  log: 'log',
  policy: 'policy',
  inbounds: 'inbounds',
  outboundTestUrl: 'testUrl',
} as const;
type PlaceName = (typeof PLACES)[keyof typeof PLACES] | 'template';

interface Place {
  name: PlaceName;
  /** Number of the entry within it, counted from 1; 0 = the section as a whole. */
  number: number;
  /** Line in the template's text; 0 when it is not part of it. */
  line: number;
  /** Address where it can be fixed. */
  to: string;
}

const PAGES: Partial<Record<PlaceName, string>> = {
  routing: 'routing',
  dns: 'dns',
  log: 'basics',
  policy: 'basics',
  testUrl: 'basics',
};
const DIALOGS: Partial<Record<PlaceName, string>> = {
  outbounds: 'outbounds?outbound=',
  rules: 'routing?rule=',
  balancers: 'balancers?balancer=',
};

/** The section, line and address of a refused field `routing.rules[3].port`. */
export function placeOf(field: string, template: JsonObject): Place {
  const name = placeName(field);
  const steps = stepsOf(field);
  const line = name === 'testUrl' ? 0 : lineOf(template, steps);
  const index = steps.map(Number).find((step) => !Number.isNaN(step));
  const dialog = DIALOGS[name];
  const page = PAGES[name];
  let to = `template?line=${line}`;
  if (dialog !== undefined && index !== undefined) to = `${dialog}${index}`;
  else if (page !== undefined) to = page;
  return { name, number: index === undefined ? 0 : index + 1, line, to: `/panel/core/${to}` };
}

/** The section of the template that a path leads into. */
export function placeName(field: string): PlaceName {
  const found = Object.entries(PLACES).find(
    ([path]) => field === path || (field.startsWith(path) && /^[.[]/.test(field.slice(path.length))),
  );
  return found?.[1] ?? 'template';
}

/** Line, from 1, where a value begins in `JSON.stringify(root, null, 2)`; the last place that exists. */
export function lineOf(root: Json, [step, ...rest]: Path): number {
  if (step === undefined || typeof root !== 'object' || root === null) return 1;
  let line = 2;
  for (const [key, value] of Object.entries(root)) {
    if (key === String(step)) return line - 1 + lineOf(value, rest);
    line += JSON.stringify(value, null, 2).split('\n').length;
  }
  return 1;
}
