import type { ValidationIssue } from '../envelope.ts';

/** The text for a field under a code: the rule it breaks, the English with `{names}` to fill in, the rule's bound. */
export type FieldText = readonly [rule: string, english: string, bound?: string];
export type FieldTexts = Readonly<Record<string, FieldText>>;

type NamesIn<T> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
/** Values for a text's placeholders: with a name missing, or one too many, a call does not compile. */
export type Fill<T> = [NamesIn<T>] extends [never] ? [] : [params: Readonly<Record<NamesIn<T>, string | number>>];

export function fillText(text: string, params: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => (name in params ? String(params[name]) : whole));
}

/** Makes the issues of a catalogue, by code. */
export function issueMaker<const T extends FieldTexts>(texts: T) {
  return <C extends keyof T & string>(field: string, code: C, ...args: Fill<T[C][number]>): ValidationIssue => {
    const params = { ...args[0] };
    const [rule, english, bound] = texts[code]!;
    return {
      field,
      rule,
      ...(bound === undefined ? {} : { param: fillText(bound, params) }),
      code,
      params,
      message: `${field} ${fillText(english, params)}`,
    };
  };
}
