import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { getPreviousRun } from '#contract/coreSettings';
import { keys } from '../../../api/keys.ts';
import { useCall } from '../../../api/transport-context.tsx';
import { useFormat } from '../../../i18n/format.ts';
import classes from '../core.module.css';

/** What the core wrote in the run before this one, folded; nothing when there was none. */
export function PreviousRun({ pid }: { pid: number | null }) {
  const { t } = useTranslation('core');
  const format = useFormat();
  const call = useCall();
  const { data: run } = useQuery({
    queryKey: [...keys.core, 'output', 'previous', pid],
    queryFn: ({ signal }) => call(getPreviousRun, {}, signal),
  });
  if (run === undefined || run === null) return null;
  const text = [run.output, run.how].filter((part) => part.trim() !== '').join('\n');
  return (
    <details>
      <Text component="summary" size="sm">
        {t('state.previousRun', { at: format.dateTime(run.endedAt) })}
      </Text>
      <pre className={classes['output']} dir="ltr" tabIndex={0}>
        {text === '' ? t('state.saidNothing') : text}
      </pre>
    </details>
  );
}
