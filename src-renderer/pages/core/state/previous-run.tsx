import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { getPreviousRun } from '#contract/coreSettings';
import { keys } from '../../../api/keys.ts';
import { useRead } from '../../../api/use-read.ts';
import { useFormat } from '../../../i18n/format.ts';
import classes from '../core.module.css';

/** The core's output in the previous run, folded; empty when there was none. */
export function PreviousRun({ pid }: { pid: number | null }) {
  const { t } = useTranslation('core');
  const format = useFormat();
  const { data: run } = useRead(getPreviousRun, {}, [...keys.core, 'output', 'previous', pid]);
  if (run === undefined || run === null) return null;
  const text = [run.output, run.how].filter((part) => part.trim() !== '').join('\n');
  return (
    <details>
      <Text component="summary" size="sm">
        {t('state.previousRun', { at: format.dateTime(run.endedAt) })}
      </Text>
      <pre className={classes['output']} dir="ltr" tabIndex={0}>
        {text === '' ? t('state.noOutput') : text}
      </pre>
    </details>
  );
}
