import { useTranslation } from 'react-i18next';
import { MAX_NAME_LENGTH } from '#contract/clients';
import { MAX_EMAILS } from '../../../src-main/bridge/jobs.ts';
import { useFormat } from '../../i18n/format.ts';

/** As much of a line as says which one it is. */
const SHOWN = 40;

/** E-mails as typed or pasted: one per line, or separated by the commas of any keyboard. */
export const emailsIn = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\n,;،؛，；、]+/)
      .map((email) => email.trim())
      .filter((email) => email !== ''),
  ),
];

/** Why a job does not take these e-mails, for their field; null when it does. */
export function useEmailsProblem(emails: readonly string[]): string | null {
  const { t } = useTranslation('works');
  const format = useFormat();
  if (emails.length > MAX_EMAILS)
    return t('emails.tooMany', { found: format.number(emails.length), most: format.number(MAX_EMAILS) });
  const tooLong = emails.find((email) => email.length > MAX_NAME_LENGTH);
  return tooLong === undefined
    ? null
    : t('emails.tooLong', { start: tooLong.slice(0, SHOWN), most: format.number(MAX_NAME_LENGTH) });
}
