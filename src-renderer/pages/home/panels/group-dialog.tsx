import { Autocomplete, Button, Modal, Stack } from '@mantine/core';
import { useState, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { DialogFooter } from '../../../ui/layout/dialog-footer.tsx';

interface GroupProps {
  name: string;
  group: string;
  known: readonly string[];
  onSave: (group: string) => void;
  onClose: () => void;
}

/** Sets the group of a panel on the page. */
export function GroupDialog({ name, group, known, onSave, onClose }: GroupProps) {
  const { t } = useTranslation(['home', 'shell', 'words']);
  const [value, setValue] = useState(group);
  const handleSubmit = (event: SyntheticEvent): void => {
    event.preventDefault();
    onSave(value.trim());
  };
  return (
    <Modal opened onClose={onClose} title={t('group.title', { name })}>
      <form onSubmit={handleSubmit}>
        <Stack>
          <Autocomplete
            label={t('words:group')}
            description={t('group.hint')}
            data={[...known]}
            maxLength={64}
            value={value}
            onChange={setValue}
            data-autofocus
          />
          <DialogFooter onCancel={onClose}>
            <Button type="submit">{t('shell:save')}</Button>
          </DialogFooter>
        </Stack>
      </form>
    </Modal>
  );
}
