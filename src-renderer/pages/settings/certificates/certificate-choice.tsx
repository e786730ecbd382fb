import { Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useCertificates } from './use-certificates.ts';

interface CertificateChoiceProps {
  /** Paths in the form now. */
  certificateFile: string;
  keyFile: string;
  /** Sets both paths. */
  onChoose: (file: string) => void;
}

/** Chooses one of the panel's certificates; hidden when it has none. */
export function CertificateChoice({ certificateFile, keyFile, onChoose }: CertificateChoiceProps) {
  const { t } = useTranslation('certificates');
  const { data } = useCertificates();
  const kept = data?.certificates.filter(({ facts }) => facts !== null) ?? [];
  if (kept.length === 0) return null;
  const chosen = kept.find(({ file }) => file === certificateFile && file === keyFile);
  return (
    <Select
      label={t('choice.label')}
      description={t('choice.hint')}
      placeholder={t('choice.none')}
      data={kept.map(({ file, name }) => ({ value: file, label: name }))}
      value={chosen?.file ?? null}
      allowDeselect={false}
      onChange={(file) => file !== null && onChoose(file)}
    />
  );
}
