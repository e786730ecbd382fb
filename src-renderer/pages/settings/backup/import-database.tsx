import { Button, FileInput, Group, Modal, Stack, Switch, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { importDb, importPreview } from '#contract/import';
import { useCall } from '../../../api/transport-context.tsx';
import { TitledCard } from '../../../ui/layout/titled-card.tsx';
import classes from '../settings.module.css';
import { Failure } from '../../../ui/notices/failure.tsx';
import { KeysOfBackup } from './keys-of-backup.tsx';
import { ImportPlan } from './import-plan.tsx';
import { ReplaceForm } from './replace-form.tsx';

/** Imports a database from a file: checked first, then it replaces this panel's. */
export function ImportDatabase() {
  const { t } = useTranslation(['settings', 'shell']);
  const call = useCall();
  const [file, setFile] = useState<File | null>(null);
  const [isClone, setClone] = useState(false);
  const [passphrase, setPassphrase] = useState('');
  const look = useMutation({
    mutationFn: (chosen: File) => call(importPreview, { body: upload(chosen, isClone, '') }),
    onSuccess: () => setPassphrase(''),
  });
  const unlock = useMutation({
    mutationFn: ({ chosen, tried }: { chosen: File; tried: string }) =>
      call(importPreview, { body: upload(chosen, isClone, tried) }),
    onSuccess: (_plan, { tried }) => setPassphrase(tried),
  });
  const plan = passphrase === '' ? look.data : unlock.data;
  const handleClose = (): void => {
    look.reset();
    unlock.reset();
    setPassphrase('');
  };
  const handleLook = (event: FormEvent): void => {
    event.preventDefault();
    if (file !== null) look.mutate(file);
  };
  return (
    <TitledCard title={t('import.title')}>
      <form onSubmit={handleLook}>
        <Stack>
          <Text size="sm">{t('import.text')}</Text>
          <Failure error={look.error} />
          <FileInput
            label={t('import.file')}
            placeholder={t('import.choose')}
            value={file}
            onChange={setFile}
            clearable={!look.isPending}
            disabled={look.isPending}
            classNames={{ placeholder: classes['placeholder'] ?? '' }}
            clearButtonProps={{ 'aria-label': t('shell:close') }}
          />
          <Switch
            label={t('import.clone')}
            description={t('import.cloneHint')}
            checked={isClone}
            disabled={look.isPending}
            onChange={(event) => setClone(event.currentTarget.checked)}
          />
          <Group justify="flex-end">
            <Button type="submit" variant="default" disabled={file === null} loading={look.isPending}>
              {t('import.look')}
            </Button>
          </Group>
        </Stack>
      </form>
      {file !== null && plan !== undefined && (
        <Modal opened size="lg" onClose={handleClose} title={t('import.planTitle')}>
          <Stack>
            <ImportPlan plan={plan} />
            <KeysOfBackup
              certificates={plan.certificates}
              failure={unlock.error}
              isBusy={unlock.isPending}
              onOpen={(tried) => unlock.mutate({ chosen: file, tried })}
            />
            <ReplaceForm
              name={file.name}
              onReplace={() => call(importDb, { body: upload(file, isClone, passphrase) })}
              onClose={handleClose}
            />
          </Stack>
        </Modal>
      )}
    </TitledCard>
  );
}

/** The fields as multipart, as the contract's upload requires. */
function upload(file: File, isClone: boolean, passphrase: string): { keepHostSettings: string; passphrase: string } {
  const form = new FormData();
  form.set('keepHostSettings', String(!isClone));
  form.set('passphrase', passphrase);
  form.set('db', file);
  return form as unknown as { keepHostSettings: string; passphrase: string };
}
