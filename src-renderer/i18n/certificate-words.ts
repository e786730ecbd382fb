import { useTranslation } from 'react-i18next';
import type { CertificateWarning } from '#wire/certificate-warning';
import { useFormat } from './format.ts';

/** What is wrong with a certificate, in the language on show, with the file it is in. */
export function useCertificateWords(): (warning: CertificateWarning) => string {
  const { t } = useTranslation('shell');
  const format = useFormat();
  return ({ kind, file, at, name, names }) => {
    const words = t(`certificate.${kind}`, {
      date: format.date(at),
      name: isolated(name),
      names: names.length === 0 ? '—' : names.map(isolated).join(', '),
    });
    return file === '' ? words : t('certificate.of', { file: isolated(file), words });
  };
}

/** A name or path keeps its own direction and does not turn the sentence around it. */
const isolated = (text: string): string => `\u2068${text}\u2069`;
