/** One thing wrong with an inbound; `field` is a JSON path such as `streamSettings.realitySettings.shortIds[0]`. */
export interface InboundIssue {
  field: string;
  /** The violated rule: `required`, `type`, `oneof`, `gte`, `lte`, `format`, `conflict`, `removed`, `unsupported`, `unique`. */
  rule: string;
  /** The limit or the accepted values, when the rule has one. */
  param?: string;
  /** Complete sentence in plain words; never repeats a key or password. */
  message: string;
}

/**
 * `fatal`: the core refuses the config, panics, fails to start or dies at the first connection, so the inbound must not
 * reach it. `silent`: the core takes it without a word and does not do what is asked.
 */
type Severity = 'fatal' | 'silent';

export interface Finding extends InboundIssue {
  severity: Severity;
}

/** Without the severity, as it is shown to whoever saves. */
export function issueOf(finding: Finding): InboundIssue {
  const { field, rule, param, message } = finding;
  return param === undefined ? { field, rule, message } : { field, rule, param, message };
}

export type Report = (finding: Finding) => void;

/** `where` is the field path; `says` continues the sentence that starts with it. */
export function refuse(report: Report, where: string, rule: string, says: string, param?: string): void {
  report({
    field: where,
    rule,
    ...(param === undefined ? {} : { param }),
    message: `${where} ${says}`,
    severity: 'fatal',
  });
}

/** Like {@link refuse} for what the core accepts without doing it. */
export function refuseSilent(report: Report, where: string, rule: string, says: string, param?: string): void {
  refuse((finding) => report({ ...finding, severity: 'silent' }), where, rule, says, param);
}

/** A report that turns every finding into a silent one: for members that never reach the core. */
export function silently(report: Report): Report {
  return (finding) => report({ ...finding, severity: 'silent' });
}
