import { Autocomplete, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addToGroup, removeFromGroups } from '#contract/groups';
import { keys } from '../../api/keys.ts';
import { useChange } from '../../api/use-change.ts';
import { useBulkResult } from './bulk-result-store.ts';
import { DialogFrame } from './dialog-frame.tsx';

interface GroupChangeDialogProps {
  emails: readonly string[];
  groups: readonly string[];
  onClose: () => void;
}

const ROOTS = [keys.clients, keys.groups];

/** Gives the named clients a group, or takes them out of theirs when the name stays empty. */
export function GroupChangeDialog({ emails, groups, onClose }: GroupChangeDialogProps) {
  const { t } = useTranslation('clientTools');
  const add = useChange(addToGroup, ROOTS);
  const remove = useChange(removeFromGroups, ROOTS);
  const show = useBulkResult((state) => state.show);
  const [typed, setTyped] = useState('');
  const group = typed.trim();
  const onSuccess = ({ affected }: { affected: number }): void => {
    show({ done: affected, skipped: [], leftOpen: 0 });
    onClose();
  };
  const handleSubmit = (): void => {
    if (group === '') remove.mutate({ body: { emails: [...emails] } }, { onSuccess });
    else add.mutate({ body: { emails: [...emails], group } }, { onSuccess });
  };
  return (
    <DialogFrame
      title={t('group.title', { count: emails.length })}
      deed={group === '' ? t('group.remove') : t('group.add')}
      error={add.error ?? remove.error}
      isBusy={add.isPending || remove.isPending}
      isReady
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <Autocomplete
        label={t('group.label')}
        data={[...groups]}
        value={typed}
        onChange={setTyped}
        maxLength={64}
        data-autofocus
      />
      <Text size="sm" c="dimmed">
        {t('group.hint')}
      </Text>
    </DialogFrame>
  );
}
