import { Modal, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Certificate } from '#contract/certificates';
import { useFormat } from '../../../i18n/format.ts';
import { CopyField } from '../../../ui/copy/copy-field.tsx';
import { Hint } from '../../../ui/layout/hint.tsx';

/** Data of a certificate for other programs: its pin, and its file. */
export function CertificateDetails({ certificate, onClose }: { certificate: Certificate; onClose: () => void }) {
  const { t } = useTranslation('certificates');
  const format = useFormat();
  const { name, file, facts, source } = certificate;
  return (
    <Modal opened onClose={onClose} size="lg" title={t('details.title', { name })}>
      <Stack>
        {facts !== null && (
          <>
            <Text size="sm">
              {t('details.valid', { from: format.dateTime(facts.validFrom), to: format.dateTime(facts.validTo) })}
            </Text>
            <Text size="sm">
              {source === 'selfSigned' ? (
                t('details.selfSigned')
              ) : (
                <>
                  {t('details.issuer')} <bdi>{facts.issuer}</bdi>
                </>
              )}
            </Text>
            <Text size="sm">
              {t('details.names')} <bdi dir="ltr">{facts.names.join(', ')}</bdi>
            </Text>
            <CopyField label={t('details.pin')} value={facts.pin} />
          </>
        )}
        <CopyField label={t('details.file')} value={file} />
        <Hint size="xs">{t('details.fileHint')}</Hint>
      </Stack>
    </Modal>
  );
}
