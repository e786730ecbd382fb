import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { getCoreResult, previewCoreSettings } from '#contract/coreSettings';
import { keys } from '../../../api/keys.ts';
import { useCall } from '../../../api/transport-context.tsx';
import classes from '../core.module.css';
import { TemplateRefusals } from '../draft/refusals.tsx';
import { useCoreSettings } from '../draft/use-core-settings.ts';
import { readObject } from '../../../forms/draft/json.ts';

/** What the core said last, and where in the stored template the fault is, when it is there. */
export function LastError({ errorMsg }: { errorMsg: string }) {
  const { t } = useTranslation('core');
  const call = useCall();
  const { data: settings } = useCoreSettings();
  const text = settings?.xraySetting;
  const output = useQuery({
    queryKey: [...keys.core, 'output', errorMsg],
    queryFn: ({ signal }) => call(getCoreResult, {}, signal),
  });
  const verdict = useQuery({
    queryKey: [...keys.core, 'verdict', errorMsg, text],
    queryFn: ({ signal }) => call(previewCoreSettings, { body: { xraySetting: text ?? '' } }, signal),
    enabled: errorMsg !== '' && text !== undefined,
  });
  const said = [...new Set([errorMsg, output.data ?? ''])].filter((part) => part.trim() !== '');
  if (said.length === 0) return null;
  return (
    <Stack gap="xs">
      {verdict.error !== null && (
        <TemplateRefusals title={t('state.inTemplate')} error={verdict.error} template={readObject(text ?? '') ?? {}} />
      )}
      <Text size="sm" fw={600}>
        {t('state.lastWords')}
      </Text>
      <pre className={classes['output']} dir="ltr" tabIndex={0}>
        {said.join('\n')}
      </pre>
    </Stack>
  );
}
