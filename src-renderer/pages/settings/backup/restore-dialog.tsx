import { Modal, Stack } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { previewBackup, restoreBackup } from '#contract/import';
import { keys } from '../../../api/keys.ts';
import { useCall } from '../../../api/transport-context.tsx';
import { QueryView } from '../../../ui/query-view/query-view.tsx';
import { KeysOfBackup } from './keys-of-backup.tsx';
import { ImportPlan } from './import-plan.tsx';
import { ReplaceForm } from './replace-form.tsx';

/** Restores an automatic backup, after a preview of its contents. */
export function RestoreDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const { t } = useTranslation('settings');
  const call = useCall();
  const plan = useQuery({
    queryKey: [...keys.settings, 'backup', name],
    queryFn: () => call(previewBackup, { params: { name }, body: {} }),
    gcTime: 0,
  });
  const [passphrase, setPassphrase] = useState('');
  const unlock = useMutation({
    mutationFn: (tried: string) => call(previewBackup, { params: { name }, body: { passphrase: tried } }),
    onSuccess: (_plan, tried) => setPassphrase(tried),
  });
  return (
    <Modal opened size="lg" onClose={onClose} title={t('import.planTitle')}>
      <QueryView query={plan}>
        {(found) => (
          <Stack>
            <ImportPlan plan={unlock.data ?? found} />
            <KeysOfBackup
              certificates={(unlock.data ?? found).certificates}
              failure={unlock.error}
              isBusy={unlock.isPending}
              onOpen={unlock.mutate}
            />
            <ReplaceForm
              name={name}
              onReplace={(confirm) => call(restoreBackup, { params: { name }, body: { confirm, passphrase } })}
              onClose={onClose}
            />
          </Stack>
        )}
      </QueryView>
    </Modal>
  );
}
