import { Button, Group, Modal, Stack, Text, Textarea, Title } from '@mantine/core';
import { Failure } from '../../../ui/notices/failure.tsx';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { trustAuthority } from '#contract/nodes/trust';
import { keys } from '../../../api/keys.ts';
import { useChange } from '../../../api/use-change.ts';
import { useStepUp } from '../../../app/account/use-step-up.tsx';
import { FormFields } from '../../../forms/form-fields.tsx';
import { useLeaveGuard } from '../../../forms/use-leave-guard.ts';
import { announceDone } from '../../../ui/notices/announce.ts';
import { confirmAction } from '../../../ui/confirm.tsx';
import { DownloadAuthority } from './download-authority.tsx';

/** Certificates instead of tokens: this panel's authority, and the authority that may manage it. */
export function TrustDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('nodes');
  const [text, setText] = useState('');
  const trust = useChange(trustAuthority, [keys.settings]);
  const handleClose = useLeaveGuard(text !== '', onClose);
  const [failure, setFailure] = useState<Error | null>(null);
  const { prove, dialog } = useStepUp();
  const save = (caCert: string, done: string): void => {
    setFailure(null);
    prove(async (proof) => {
      await trust.mutateAsync({ body: { caCert, ...proof } });
      setText('');
      announceDone(done);
    }).catch(setFailure);
  };
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    save(text, t('trust.saved'));
  };
  const handleEnd = async (): Promise<void> => {
    const isSure = await confirmAction({
      title: t('trust.endTitle'),
      text: t('trust.endText'),
      action: t('trust.end'),
    });
    if (isSure) save('', t('trust.ended'));
  };
  return (
    <Modal opened onClose={handleClose} size="lg" title={t('trust.title')}>
      <Stack gap="lg">
        <Stack gap="xs" component="section">
          <Title order={3} size="h5">
            {t('trust.own')}
          </Title>
          <Text size="sm">{t('trust.ownText')}</Text>
          <DownloadAuthority />
        </Stack>
        <Stack gap="xs" component="form" onSubmit={handleSubmit}>
          <Title order={3} size="h5">
            {t('trust.other')}
          </Title>
          <Text size="sm">{t('trust.otherText')}</Text>
          <FormFields isSaving={trust.isPending}>
            <Textarea
              label={t('trust.pem')}
              dir="ltr"
              spellCheck={false}
              rows={6}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
            />
          </FormFields>
          <Failure error={failure} />
          <Group justify="flex-end">
            <Button variant="default" color="red" onClick={() => void handleEnd()}>
              {t('trust.end')}
            </Button>
            <Button type="submit" loading={trust.isPending} disabled={text.trim() === ''}>
              {t('trust.save')}
            </Button>
          </Group>
        </Stack>
      </Stack>
      {dialog}
    </Modal>
  );
}
