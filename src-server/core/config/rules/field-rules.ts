import type { Json, JsonObject } from '../source.ts';
import { isJsonObject } from '../json-access.ts';
import { refuse, silently, type Report } from './finding.ts';

/** Checks one member that is present and not null. */
export type FieldRule = (value: Json, where: string, report: Report) => void;

export type FieldRules = Readonly<Record<string, FieldRule>>;

export const text: FieldRule = (value, where, report) => {
  if (typeof value !== 'string') refuse(report, where, 'config.text');
};

export const flag: FieldRule = (value, where, report) => {
  if (typeof value !== 'boolean') refuse(report, where, 'config.flag');
};

/** A whole number; the limits are those of the core's integer types, so a fraction or a text is a decode error. */
export function integer(min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER): FieldRule {
  return (value, where, report) => {
    if (typeof value !== 'number' || !Number.isSafeInteger(value)) {
      refuse(report, where, 'config.integer');
    } else if (value < min) refuse(report, where, 'config.atLeast', { min });
    else if (value > max) refuse(report, where, 'config.atMost', { max });
  };
}

/** Zero means "the default"; any other value must lie in the range. */
export function integerOrZero(min: number, max?: number): FieldRule {
  const inside = integer(min, max);
  return (value, where, report) => {
    if (value !== 0) inside(value, where, report);
  };
}

export const uint32: FieldRule = integer(0, 4_294_967_295);
export const uint64: FieldRule = integer(0);
export const int32: FieldRule = integer(-2_147_483_648, 2_147_483_647);

/** One of the listed texts, in any letter case, as the core compares them. */
export function oneOf(...accepted: readonly string[]): FieldRule {
  const known = new Set(accepted.map((name) => name.toLowerCase()));
  const named = accepted.filter((name) => name !== '').join(', ');
  return (value, where, report) => {
    if (typeof value !== 'string') refuse(report, where, 'config.text');
    else if (!known.has(value.toLowerCase())) refuse(report, where, 'config.oneOf', { names: named });
  };
}

export function listOfEach(rule: FieldRule): FieldRule {
  return (value, where, report) => {
    if (!Array.isArray(value)) {
      refuse(report, where, 'config.list');
      return;
    }
    for (const [index, item] of value.entries()) {
      if (item === null) refuse(report, `${where}[${index}]`, 'config.notNull');
      else rule(item, `${where}[${index}]`, report);
    }
  };
}

export const textList: FieldRule = listOfEach(text);

/** The core's StringList: a list of texts or one comma-separated text. */
export function textListOrText(rule: FieldRule = text): FieldRule {
  const list = listOfEach(rule);
  return (value, where, report) => {
    if (typeof value !== 'string') list(value, where, report);
    else for (const part of value.split(',')) rule(part.trim(), where, report);
  };
}

/** The core's integer range: a number, `"5"`, `"1-2"` or "" (the default). */
export const intRange: FieldRule = (value, where, report) => {
  if (rangeOf(value) === null) refuse(report, where, 'config.range');
};

/** Ends of an integer range in ascending order; "" is 0. Null when the text is not a range. */
export function rangeOf(value: Json | undefined): { from: number; to: number } | null {
  if (value === undefined || value === null || value === '') return { from: 0, to: 0 };
  if (typeof value === 'number') return Number.isSafeInteger(value) ? { from: value, to: value } : null;
  if (typeof value !== 'string') return null;
  const match = /^(-?\d+)(?:-(-?\d+))?$/.exec(value.trim());
  if (match === null) return null;
  const from = Number(match[1]);
  const to = Number(match[2] ?? match[1]);
  return from <= to ? { from, to } : { from: to, to: from };
}

/** An object whose values are texts, such as a header table. */
export const textTable: FieldRule = (value, where, report) => {
  if (!isJsonObject(value)) refuse(report, where, 'config.object');
  else for (const [name, item] of Object.entries(value)) text(item, `${where}.${name}`, report);
};

/**
 * An object with known members. Members match in any letter case, as in the core; unknown ones are left alone, because
 * the core ignores them and a later core may know them.
 */
export function shape(
  rules: FieldRules,
  whole?: (value: JsonObject, where: string, report: Report) => void,
): FieldRule {
  const byName = new Map(Object.entries(rules).map(([name, rule]) => [name.toLowerCase(), rule]));
  return (value, where, report) => {
    if (!isJsonObject(value)) {
      refuse(report, where, 'config.object');
      return;
    }
    for (const [name, member] of Object.entries(value)) {
      if (member !== null) byName.get(name.toLowerCase())?.(member, `${where}.${name}`, report);
    }
    whole?.(value, where, report);
  };
}

/** The rule for a member that the builder removes: wrong values harm its users, not the core. */
export function unsent(rule: FieldRule): FieldRule {
  return (value, where, report) => rule(value, where, silently(report));
}
