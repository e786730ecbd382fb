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
  /** A group that was just renamed has a new row, which takes the focus of the old one. */
  isRenamed: boolean;
  onEdit: () => void;
  onEnd: (name: string) => void;
}

/** The name in its row: a click makes it a field, Enter saves, Escape cancels. */
export function GroupName({ name, isEditing, isRenamed, onEdit, onEnd }: GroupNameProps) {
  const { t } = useTranslation('groups');
  const button = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(isEditing);
  useEffect(() => {
    if ((wasEditing.current || isRenamed) && !isEditing) button.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing, isRenamed]);
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
    if (newName === name || newName === '') return onEnd(name);
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
          onKeyDown={(event) => event.key === 'Escape' && onEnd(name)}
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
        <ActionIcon variant="subtle" color="gray" size={30} onClick={() => onEnd(name)} aria-label={t('shell:cancel')}>
          <IconX size={16} />
        </ActionIcon>
      </Group>
    </form>
  );
}
