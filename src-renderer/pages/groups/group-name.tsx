import { ActionIcon, Group, TextInput, UnstyledButton } from '@mantine/core';
import { IconCheck, IconPencil, IconX } from '@tabler/icons-react';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { renameGroup } from '#contract/groups';
import { keys } from '../../api/keys.ts';
import { useChange } from '../../api/use-change.ts';
import { announceDone } from '../../ui/notices/announce.ts';
import classes from './groups.module.css';

interface GroupNameProps {
  name: string;
  isEditing: boolean;
  /** Whether its field was just closed: a group that was renamed has a new row, which takes the focus of the old one. */
  takesFocus: boolean;
  onFocused: () => void;
  onEdit: () => void;
  /** @param newName of the group after it; absent = none was stored */
  onEnd: (newName?: string) => void;
}

/** The name in its row: a click makes it a field, Enter saves, Escape cancels. */
export function GroupName({ name, isEditing, takesFocus, onFocused, onEdit, onEnd }: GroupNameProps) {
  const { t } = useTranslation('groups');
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!takesFocus || isEditing) return;
    button.current?.focus();
    onFocused();
  }, [takesFocus, isEditing, onFocused]);
  if (isEditing) return <NameField name={name} onEnd={onEnd} />;
  return (
    <UnstyledButton
      ref={button}
      className={classes['name'] ?? ''}
      onClick={onEdit}
      aria-label={t('renameNamed', { name })}
    >
      <bdi>{name}</bdi>
      <IconPencil size={14} aria-hidden className={classes['pencil']} />
    </UnstyledButton>
  );
}

function NameField({ name, onEnd }: Pick<GroupNameProps, 'name' | 'onEnd'>) {
  const { t } = useTranslation(['groups', 'shell']);
  const rename = useChange(renameGroup, [keys.groups, keys.clients]);
  const [typed, setTyped] = useState(name);
  const newName = typed.trim();
  const handleSave = (event: FormEvent): void => {
    event.preventDefault();
    if (newName === name || newName === '') return onEnd();
    // Its row may be gone by then, and with it what `mutate` would call.
    rename.mutateAsync({ body: { oldName: name, newName } }).then(
      () => {
        announceDone(t('saved', { name: newName }));
        onEnd(newName);
      },
      // Shown at the field.
      () => undefined,
    );
  };
  return (
    <form onSubmit={handleSave}>
      <Group gap={4} wrap="nowrap" align="start">
        <TextInput
          aria-label={t('name')}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Escape' && onEnd()}
          onFocus={(event) => event.currentTarget.select()}
          error={rename.error?.message}
          maxLength={64}
          size="xs"
          miw={120}
          flex={1}
          autoFocus
        />
        <ActionIcon type="submit" variant="light" size={30} loading={rename.isPending} aria-label={t('shell:save')}>
          <IconCheck size={16} />
        </ActionIcon>
        <ActionIcon variant="subtle" color="gray" size={30} onClick={() => onEnd()} aria-label={t('shell:cancel')}>
          <IconX size={16} />
        </ActionIcon>
      </Group>
    </form>
  );
}
