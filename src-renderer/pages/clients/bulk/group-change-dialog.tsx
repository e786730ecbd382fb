import { Autocomplete } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addToGroup, removeFromGroups, type FormerLabels } from '#contract/groups';
import { keys } from '../../../api/keys.ts';
import { useChange } from '../../../api/use-change.ts';
import { useShowResult } from '../actions/use-show-result.ts';
import { DialogFrame } from '../dialog-frame.tsx';
import { Hint } from '../../../ui/layout/hint.tsx';

interface GroupChangeDialogProps {
  emails: readonly string[];
  groups: readonly string[];
  onClose: () => void;
}

const REMEMBER = { remember: '1' } as const;
const ROOTS = [keys.clients, keys.groups];

/** Gives the named clients a group, or takes them out of theirs when the name stays empty. */
export function GroupChangeDialog({ emails, groups, onClose }: GroupChangeDialogProps) {
  const { t } = useTranslation(['clientTools', 'clientActions', 'words']);
  const add = useChange(addToGroup, ROOTS);
  const remove = useChange(removeFromGroups, ROOTS);
  const show = useShowResult();
  const [typed, setTyped] = useState('');
  const group = typed.trim();
  const giveBack = async (before: FormerLabels): Promise<void> => {
    for (const { group: former, emails: members } of before) {
      if (former === '') await remove.mutateAsync({ query: {}, body: { emails: members } });
      else await add.mutateAsync({ query: {}, body: { emails: members, group: former } });
    }
  };
  const onSuccess = ({ affected, before = [] }: { affected: number; before?: FormerLabels | undefined }): void => {
    const undo = before.length === 0 ? undefined : () => giveBack(before);
    show(t('clientActions:grouped', { count: affected }), { done: affected, skipped: [], undo });
    onClose();
  };
  const handleSubmit = (): void => {
    if (group === '') remove.mutate({ query: REMEMBER, body: { emails: [...emails] } }, { onSuccess });
    else add.mutate({ query: REMEMBER, body: { emails: [...emails], group } }, { onSuccess });
  };
  return (
    <DialogFrame
      title={t('group.title', { count: emails.length })}
      action={group === '' ? t('group.remove') : t('group.add')}
      error={add.error ?? remove.error}
      isBusy={add.isPending || remove.isPending}
      isReady
      isDirty={typed !== ''}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <Autocomplete
        label={t('words:group')}
        data={[...groups]}
        value={typed}
        onChange={setTyped}
        maxLength={64}
        data-autofocus
      />
      <Hint>{t('group.hint')}</Hint>
    </DialogFrame>
  );
}
