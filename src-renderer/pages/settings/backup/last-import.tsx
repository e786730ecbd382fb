import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { importResult } from '#contract/import';
import { keys } from '../../../api/keys.ts';
import { useCall } from '../../../api/transport-context.tsx';
import { useFormat } from '../../../i18n/format.ts';

/** How the last import ended, which only shows after the restart. */
export function LastImport() {
  const { t } = useTranslation('settings');
  const call = useCall();
  const format = useFormat();
  const { data } = useQuery({
    queryKey: [...keys.settings, 'import'],
    queryFn: ({ signal }) => call(importResult, {}, signal),
  });
  if (data === undefined || data === null) return null;
  return (
    <Alert color={data.outcome === 'imported' ? 'teal' : 'red'} role="status">
      {t(`import.${data.outcome}`, { at: format.dateTime(data.at) })}
    </Alert>
  );
}
