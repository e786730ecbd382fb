import { Button, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { linkClientToBot } from '#contract/bot';
import { useChange } from '../../../api/use-change.ts';
import { useFormat } from '../../../i18n/format.ts';
import { CopyField } from '../../../ui/copy/copy-field.tsx';
import { Failure } from '../../../ui/notices/failure.tsx';

/** A link by which a client ties its own chat, so that nobody has to type an id. */
export function BotLink({ email }: { email: string }) {
  const { t } = useTranslation('clients');
  const format = useFormat();
  const { mutate, data, error, isPending } = useChange(linkClientToBot, []);
  return (
    <Stack gap={6} align="stretch">
      <Button
        variant="default"
        style={{ alignSelf: 'flex-start' }}
        loading={isPending}
        onClick={() => mutate({ params: { email } })}
      >
        {t('form.botLink')}
      </Button>
      <Failure error={error} />
      {data !== undefined && (
        <>
          <CopyField label={t('form.botLinkLabel')} value={data.link} />
          <Text size="sm">{t('form.botLinkText', { at: format.dateTime(data.expiresAtMs) })}</Text>
        </>
      )}
    </Stack>
  );
}
