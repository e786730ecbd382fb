import { useTranslation } from 'react-i18next';
import classes from './country.module.css';

const REGIONAL_A = 0x1f1e6;
const LETTER_A = 65;

/** The flag as text: each letter of the code as its regional indicator. */
const flagOf = (code: string): string =>
  code.replace(/[A-Z]/g, (letter) => String.fromCodePoint(REGIONAL_A + letter.charCodeAt(0) - LETTER_A));

/**
 * A country's flag and letters, labelled with its name; empty while unknown. @param code ISO 3166 alpha-2, upper case
 */
export function Country({ code }: { code: string | undefined }) {
  const { language } = useTranslation().i18n;
  if (code === undefined || !/^[A-Z]{2}$/.test(code)) return null;
  const name = new Intl.DisplayNames([language], { type: 'region', fallback: 'code' }).of(code) ?? code;
  return (
    <span className={classes['country']} role="img" aria-label={name} title={name} dir="ltr">
      <span className={classes['flag']}>{flagOf(code)}</span>
      <span className={classes['code']}>{code}</span>
    </span>
  );
}
