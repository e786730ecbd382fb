import { Alert, List } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { CertificateWarning } from '#wire/certificate-warning';
import { useCertificateWords } from '../../i18n/certificate-words.ts';

/** Why certificates will be refused, above a save that accepts it. Empty when all is well. */
export function CertificateWarnings({ warnings }: { warnings: readonly CertificateWarning[] }) {
  const { t } = useTranslation('shell');
  const words = useCertificateWords();
  if (warnings.length === 0) return null;
  return (
    <Alert color="yellow" role="alert" title={t('certificate.refused')}>
      <List size="sm" listStyleType={warnings.length === 1 ? 'none' : 'disc'}>
        {warnings.map((warning) => (
          <List.Item key={`${warning.field} ${warning.kind}`}>{words(warning)}</List.Item>
        ))}
      </List>
    </Alert>
  );
}
