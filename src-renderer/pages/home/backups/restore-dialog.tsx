import { Alert, Modal, Select, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BackupEntry } from '../../../../src-main/bridge/maintenance.ts';
import { confirmedFirst } from '../../../api/confirm-first.tsx';
import { requireDesktop } from '../../../api/desktop.ts';
import { useFormat } from '../../../i18n/format.ts';
import { TypedAction } from '../../../ui/typed-action.tsx';
import type { NamedPanel } from '../panel-names.ts';

interface RestoreProps {
  backup: BackupEntry;
  panels: readonly NamedPanel[];
  onClose: () => void;
}

/** The last question before a backup replaces all data of a panel. */
export function RestoreDialog({ backup, panels, onClose }: RestoreProps) {
  const { t } = useTranslation('backups');
  const format = useFormat();
  const known = panels.some(({ id }) => id === backup.panelId);
  const [toId, setTo] = useState<string | null>(known ? backup.panelId : null);
  const [failure, setFailure] = useState<string | null>(null);
  const target = panels.find(({ id }) => id === toId);
  const handleRestore = async (): Promise<void> => {
    if (toId === null) return;
    const { panelId, takenAtMs } = backup;
    try {
      await confirmedFirst(() => requireDesktop().maintenance.restore({ panelId, takenAtMs, toId }));
      onClose();
    } catch (error) {
      setFailure((error as Error).message);
    }
  };
  return (
    <Modal opened onClose={onClose} title={t('restore.title', { when: format.dateTime(backup.takenAtMs) })}>
      <Stack>
        <Select
          label={t('restore.to')}
          allowDeselect={false}
          value={toId}
          data={panels.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={setTo}
        />
        {target !== undefined && (
          <TypedAction
            name={target.name}
            label={t('restore.type', { name: target.name })}
            action={t('restore.do', { name: target.name })}
            failure={failure}
            onAction={() => void handleRestore()}
            onCancel={onClose}
          >
            <Alert color="red">{t('restore.text', { name: target.name })}</Alert>
          </TypedAction>
        )}
      </Stack>
    </Modal>
  );
}
