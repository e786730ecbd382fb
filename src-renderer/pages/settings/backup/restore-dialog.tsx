import { Modal, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { previewBackup, restoreBackup } from '#contract/import';
import { keys } from '../../../api/keys.ts';
import { useCall } from '../../../api/transport-context.tsx';
import { QueryView } from '../../../ui/query-view.tsx';
import { ImportPlan } from './import-plan.tsx';
import { ReplaceForm } from './replace-form.tsx';

/** Goes back to an automatic backup, after showing what that brings. */
export function RestoreDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const { t } = useTranslation(['settings', 'shell']);
  const call = useCall();
  const plan = useQuery({
    queryKey: [...keys.settings, 'backup', name],
    queryFn: () => call(previewBackup, { params: { name } }),
    gcTime: 0,
  });
  return (
    <Modal
      opened
      size="lg"
      onClose={onClose}
      title={t('import.planTitle')}
      closeButtonProps={{ 'aria-label': t('shell:close') }}
    >
      <QueryView query={plan}>
        {(found) => (
          <Stack>
            <ImportPlan plan={found} />
            <ReplaceForm
              name={name}
              onReplace={(confirm) => call(restoreBackup, { params: { name }, body: { confirm } })}
              onClose={onClose}
            />
          </Stack>
        )}
      </QueryView>
    </Modal>
  );
}
