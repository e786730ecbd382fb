import type { Json } from '../source.ts';
import { isJsonObject, listOf, textOf } from '../json-access.ts';
import { listOfEach, shape, text } from '../rules/field-rules.ts';
import { refuseSilent, type Report } from '../rules/finding.ts';

/** Accounts of http and mixed inbounds; they are not clients, and the core counts them by their user name. */
export const accounts = listOfEach(
  shape({ user: text, pass: text }, (value, where, report) => {
    for (const key of ['user', 'pass']) {
      if (textOf(value[key]) === '') refuseSilent(report, `${where}.${key}`, 'config.notEmpty');
    }
  }),
);

/** Of two accounts with the same name the core keeps the later one. */
export function checkAccountNames(value: Json | undefined, where: string, report: Report): void {
  const names = new Set<string>();
  for (const [index, account] of listOf(value).entries()) {
    const name = isJsonObject(account) ? textOf(account['user']) : '';
    if (name !== '' && names.has(name)) refuseSilent(report, `${where}[${index}].user`, 'config.accountTaken');
    names.add(name);
  }
}
