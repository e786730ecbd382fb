import * as z from 'zod';

/** An expected failure that can be translated: the key of its text, and the values for the text's placeholders. */
export const Refusal = z.object({
  code: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
});
export type Refusal = z.infer<typeof Refusal>;

/**
 * One offending field of a refused body. `field` is the JSON path, `rule` the violated rule, `param` its bound; `code` and
 * `params` allow a translation of `message`, which is English.
 */
export const ValidationIssue = z.object({
  /** Path of the field in the body, such as `settings.clients[0].email`; empty = the body itself. */
  field: z.string(),
  rule: z.string(),
  param: z.string().optional(),
  ...Refusal.shape,
  message: z.string(),
});
export type ValidationIssue = z.infer<typeof ValidationIssue>;

/** `obj` of a refused body: every issue, and all texts joined. */
export const ValidationFailure = z.object({
  /** All reasons in one text, in English. */
  message: z.string(),
  issues: z.array(ValidationIssue),
});

/** Why something was left unchanged: in English, and as a key with values for translations. */
export const Reason = z.object({
  reason: z.string(),
  ...Refusal.partial().shape,
  issues: z.array(ValidationIssue).optional(),
});
export type Reason = z.infer<typeof Reason>;

/**
 * Every JSON response: `obj` carries the result, `msg` the text for a person, and `error` the translatable form of a
 * failure's `msg`.
 */
export interface Envelope<T = unknown> {
  success: boolean;
  msg: string;
  obj: T;
  error?: Refusal;
}

/** A body that parsed but breaks rules of its fields; answered with every issue and nothing changed. */
export class ValidationError extends Error {
  readonly issues: readonly ValidationIssue[];
  constructor(issues: readonly ValidationIssue[], message?: string) {
    super(message ?? issues.map((issue) => issue.message).join('; '));
    this.name = 'ValidationError';
    this.issues = issues;
  }
}
