import { Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { getCoreResult, previewCoreSettings } from '#contract/coreSettings';
import { keys } from '../../../api/keys.ts';
import { useRead } from '../../../api/use-read.ts';
import classes from '../core.module.css';
import { TemplateRefusals } from '../draft/refusals.tsx';
import { useCoreSettings } from '../draft/use-core-settings.ts';
import { readObject } from '../../../forms/draft/json.ts';

/** The core's last error, and where in the stored template it is, if it is there. */
export function LastError({ errorMsg }: { errorMsg: string }) {
  const { t } = useTranslation('core');
  const { data: settings } = useCoreSettings();
  const text = settings?.xraySetting;
  const output = useRead(getCoreResult, {}, [...keys.core, 'output', errorMsg]);
  const verdict = useRead(
    previewCoreSettings,
    { body: { xraySetting: text ?? '' } },
    [...keys.core, 'verdict', errorMsg, text],
    { enabled: errorMsg !== '' && text !== undefined },
  );
  const texts = [...new Set([errorMsg, output.data ?? ''])].filter((part) => part.trim() !== '');
  if (texts.length === 0) return null;
  return (
    <Stack gap="xs">
      {verdict.error !== null && (
        <TemplateRefusals title={t('state.inTemplate')} error={verdict.error} template={readObject(text ?? '') ?? {}} />
      )}
      <Text size="sm" fw={600}>
        {t('state.lastWords')}
      </Text>
      <pre className={classes['output']} dir="ltr" tabIndex={0}>
        {texts.join('\n')}
      </pre>
    </Stack>
  );
}
