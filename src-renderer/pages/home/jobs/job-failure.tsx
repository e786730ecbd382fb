import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Said } from '../../../../src-main/bridge/jobs.ts';
import { useSaid } from './use-said.ts';

/** Why work failed; of work that is not known any more it says so. */
export function JobFailure({ trouble, isUnknown = false }: { trouble: Said | null; isUnknown?: boolean }) {
  const { t } = useTranslation('works');
  const say = useSaid();
  if (trouble === null && !isUnknown) return null;
  return (
    <Alert color="red" role="alert">
      {trouble === null ? t('unknown') : say(trouble)}
    </Alert>
  );
}
