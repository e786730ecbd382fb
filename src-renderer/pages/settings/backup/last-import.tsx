import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { importResult } from '#contract/import';
import { keys } from '../../../api/keys.ts';
import { useRead } from '../../../api/use-read.ts';
import { useFormat } from '../../../i18n/format.ts';

/** Result of the last import, known only after the restart. */
export function LastImport() {
  const { t } = useTranslation('settings');
  const format = useFormat();
  const { data } = useRead(importResult, {}, [...keys.settings, 'import']);
  if (data === undefined || data === null) return null;
  return (
    <Alert color={data.outcome === 'imported' ? 'teal' : 'red'} role="status">
      {t(`import.${data.outcome}`, { at: format.dateTime(data.at) })}
    </Alert>
  );
}
