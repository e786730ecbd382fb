import { isJsonObject } from '../json-access.ts';
import { refuse } from '../rules/finding.ts';
import { textTable, type FieldRule } from '../rules/field-rules.ts';

/** A header table in which `Host` is fatal: httpupgrade and xhttp have their own member for it. */
export const headersWithoutHost: FieldRule = (value, where, report) => {
  textTable(value, where, report);
  if (!isJsonObject(value)) return;
  const host = Object.keys(value).find((name) => name.toLowerCase() === 'host');
  if (host !== undefined) refuse(report, `${where}.${host}`, 'config.hostHeader');
};
