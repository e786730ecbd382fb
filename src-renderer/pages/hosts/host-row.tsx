import { useSortable } from '@dnd-kit/sortable';
import { RowMenu } from '../../ui/row-menu.tsx';
import { hostAndPort } from '#wire/host-and-port';
import { OpenByName } from '../../ui/open-by-name.tsx';
import { CSS } from '@dnd-kit/utilities';
import { ActionIcon, Checkbox, Group, Menu, Switch } from '@mantine/core';
import { IconGripVertical } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Chip } from '../../ui/palette/chip.tsx';
import { kindTone } from '../../ui/palette/tones.ts';
import { Hint } from '../../ui/layout/hint.tsx';
import type { Host } from '#contract/hosts';
import classes from './hosts.module.css';
import type { HostActions } from './use-host-actions.ts';

interface HostRowProps {
  host: Host;
  /** Whether it is part of a group, whose rows can be edited together. */
  isGrouped: boolean;
  isSelected: boolean;
  actions: HostActions;
  onSelect: (isSelected: boolean) => void;
  onOpen: (what: string) => void;
  onMove: () => void;
}

/** One host: its drag handle, state, name and target. */
export function HostRow({ host, isGrouped, isSelected, actions, onSelect, onOpen, onMove }: HostRowProps) {
  const { t } = useTranslation(['hosts', 'words']);
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id: host.id,
  });
  const name = host.remark;
  const place = hostAndPort(host.address, host.port);
  return (
    <li
      ref={setNodeRef}
      className={classes['row']}
      data-dragging={isDragging}
      style={{ transform: CSS.Translate.toString(transform), transition }}
    >
      <ActionIcon
        ref={setActivatorNodeRef}
        {...attributes}
        {...listeners}
        variant="subtle"
        color="gray"
        className={classes['handle'] ?? ''}
        aria-label={t('move.title', { name })}
      >
        <IconGripVertical size={18} />
      </ActionIcon>
      <Checkbox
        aria-label={t('words:selectNamed', { name })}
        checked={isSelected}
        onChange={(event) => onSelect(event.currentTarget.checked)}
      />
      <Switch
        aria-label={t('words:isEnabled', { name })}
        checked={host.enable}
        onChange={(event) => actions.setEnable([host], event.currentTarget.checked)}
      />
      <div className={classes['text']}>
        <OpenByName name={name} onOpen={() => onOpen(String(host.id))} />
        <Group gap="xs">
          <Hint size="xs">{place === '' ? t('inherits') : <bdi>{place}</bdi>}</Hint>
          {host.security !== 'same' && <Chip tone={kindTone(host.security)}>{host.security}</Chip>}
          {host.tags.map((tag) => (
            <Chip key={tag} tone="gray">
              <bdi>{tag}</bdi>
            </Chip>
          ))}
        </Group>
      </div>
      <RowMenu label={t('words:actionsOf', { name })}>
        <Menu.Item onClick={() => onOpen(String(host.id))}>{t('edit')}</Menu.Item>
        {isGrouped && <Menu.Item onClick={() => onOpen(`group:${host.groupId}`)}>{t('editGroup')}</Menu.Item>}
        <Menu.Item onClick={onMove}>{t('move.menu')}</Menu.Item>
        <Menu.Divider />
        <Menu.Item color="red" onClick={() => void actions.confirmRemoval([host])}>
          {t('remove.action', { count: 1 })}
        </Menu.Item>
      </RowMenu>
    </li>
  );
}
