import { DomainError } from '../../../contract/domain-error.ts';
import { isDots } from '../../../contract/fields/group-name.ts';

/**
 * Characters that break contexts in which e-mails and subscription ids are used: URL paths (`/`, `\`), the core's
 * counter names (`user>>>email>>>…`), log lines (control characters, any kind of blank), and invalid Unicode.
 */
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const FORBIDDEN = /[/\\>\s\u0000-\u001f\u007f\u0085\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/;

function isUsableName(text: string): boolean {
  return text.isWellFormed() && !FORBIDDEN.test(text) && !isDots(text);
}

/** @throws {DomainError} `client.emailRequired`, `client.emailInvalid` */
export function checkEmail(email: string): void {
  if (email === '') throw new DomainError('client.emailRequired');
  if (!isUsableName(email)) throw new DomainError('client.emailInvalid', { email });
}

/** Empty is valid: a new client gets one. @throws {DomainError} `client.subIdInvalid` */
export function checkSubId(subId: string): void {
  if (!isUsableName(subId)) throw new DomainError('client.subIdInvalid', { subId });
}

/** Empty is valid. @throws {DomainError} `client.groupInvalid` */
export function checkGroup(name: string, field: string): void {
  if (isDots(name)) throw new DomainError('client.groupInvalid', { name }, { field });
}
