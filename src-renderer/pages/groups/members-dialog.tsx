import { Button, Modal, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addToGroup, removeFromGroups } from '#contract/groups';
import { keys } from '../../api/keys.ts';
import { useChange } from '../../api/use-change.ts';
import { FormFields } from '../../forms/form-fields.tsx';
import { useLeaveGuard } from '../../forms/use-leave-guard.ts';
import { useFormat } from '../../i18n/format.ts';
import { announceDone } from '../../ui/notices/announce.ts';
import { DialogFooter } from '../../ui/layout/dialog-footer.tsx';
import { Failure } from '../../ui/notices/failure.tsx';
import { FoundClients } from './found-clients.tsx';

const SEARCH_AFTER_MS = 250;
const ROOTS = [keys.groups, keys.clients];

/** Chooses the members of a group. The server searches: the page holds only what it shows. */
export function MembersDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const { t } = useTranslation(['groups', 'shell']);
  const format = useFormat();
  const add = useChange(addToGroup, ROOTS);
  const remove = useChange(removeFromGroups, ROOTS);
  const [whom, setWhom] = useState<'everybody' | 'members'>('everybody');
  const [text, setText] = useState('');
  const [search] = useDebouncedValue(text.trim(), SEARCH_AFTER_MS);
  /** Clients that were ticked or unticked, with their new state. */
  const [changes, setChanges] = useState<ReadonlyMap<string, boolean>>(new Map());
  const handleClose = useLeaveGuard(changes.size > 0, onClose);
  const error = add.error ?? remove.error;
  const named = (isMember: boolean): string[] =>
    [...changes].filter(([, wanted]) => wanted === isMember).map(([email]) => email);
  const [added, removed] = [named(true), named(false)];

  const handleTick = (email: string, isMember: boolean, wasMember: boolean): void =>
    setChanges((before) => {
      const next = new Map(before);
      if (isMember === wasMember) next.delete(email);
      else next.set(email, isMember);
      return next;
    });
  const handleSave = async (): Promise<void> => {
    try {
      if (added.length > 0) await add.mutateAsync({ query: {}, body: { emails: added, group: name } });
      if (removed.length > 0) await remove.mutateAsync({ query: {}, body: { emails: removed } });
    } catch {
      // Shown above the list, which keeps its ticks.
      return;
    }
    announceDone(t('pick.done', { added: added.length, removed: removed.length, name }));
    onClose();
  };
  return (
    <Modal opened onClose={handleClose} title={t('pick.title', { name })}>
      <Stack>
        <Failure error={error} />
        <FormFields isSaving={add.isPending || remove.isPending}>
          <SegmentedControl
            aria-label={t('pick.whom')}
            data={(['everybody', 'members'] as const).map((value) => ({ value, label: t(`pick.${value}`) }))}
            value={whom}
            onChange={setWhom}
          />
          <TextInput
            type="search"
            label={t('pick.search')}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            data-autofocus
          />
          <FoundClients
            group={name}
            search={search}
            isMembersOnly={whom === 'members'}
            changes={changes}
            onTick={handleTick}
          />
        </FormFields>
        <Text size="sm" role="status">
          {t('pick.summary', { added: format.number(added.length), removed: format.number(removed.length) })}
        </Text>
        <DialogFooter onCancel={handleClose}>
          <Button
            disabled={changes.size === 0}
            loading={add.isPending || remove.isPending}
            onClick={() => void handleSave()}
          >
            {t('shell:save')}
          </Button>
        </DialogFooter>
      </Stack>
    </Modal>
  );
}
