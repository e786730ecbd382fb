import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { JobMessage } from '../../../../src-main/bridge/jobs.ts';
import { useMessageText } from './use-message-text.ts';

/** Why a job failed; says so when the job is no longer known. */
export function JobFailure({ trouble, isUnknown = false }: { trouble: JobMessage | null; isUnknown?: boolean }) {
  const { t } = useTranslation('works');
  const say = useMessageText();
  if (trouble === null && !isUnknown) return null;
  return (
    <Alert color="red" role="alert">
      {trouble === null ? t('unknown') : say(trouble)}
    </Alert>
  );
}
