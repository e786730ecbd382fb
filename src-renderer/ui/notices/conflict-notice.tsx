import { Alert, Button, Group, List, Text } from '@mantine/core';
import type { MouseEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './notices.module.css';
import { useIntoView } from './use-into-view.ts';

interface ConflictNoticeProps {
  /** Names the thing that another admin changed. */
  title: string;
  /** Replaces the words "it now says". */
  text?: string;
  /** The fields they changed. */
  fields?: readonly { name: string; label: ReactNode; now: string }[];
  onTakeTheirs: () => void;
  onKeepMine: () => void;
  /** Their change, where it is not in fields. */
  children?: ReactNode;
}

/** Another admin saved what is being edited: shows their values, and asks whose win. */
export function ConflictNotice({ title, text, fields = [], onTakeTheirs, onKeepMine, children }: ConflictNoticeProps) {
  const { t } = useTranslation('shell');
  const notice = useIntoView(title);
  // The notice goes with its buttons: the focus would be lost.
  const settle = (choose: () => void) => (event: MouseEvent<HTMLButtonElement>) => {
    event.currentTarget.closest('form')?.querySelector<HTMLElement>('[type="submit"]')?.focus();
    choose();
  };
  return (
    <Alert ref={notice} color="yellow" title={title} role="alert" className={classes['notice'] ?? ''}>
      <Text size="sm">{text ?? t('conflict.text')}</Text>
      {fields.length > 0 && (
        <List size="sm" my="xs">
          {fields.map(({ name, label, now }) => (
            <List.Item key={name}>
              {label}: <bdi>{now === '' ? '—' : now}</bdi>
            </List.Item>
          ))}
        </List>
      )}
      {children}
      <Group gap="xs">
        <Button size="xs" variant="default" onClick={settle(onTakeTheirs)}>
          {t('conflict.takeTheirs')}
        </Button>
        <Button size="xs" onClick={settle(onKeepMine)}>
          {t('conflict.keepMine')}
        </Button>
      </Group>
    </Alert>
  );
}
