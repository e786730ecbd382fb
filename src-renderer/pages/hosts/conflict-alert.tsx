import { Alert, Button, Group, List, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { HostForm } from './host-form.ts';

interface ConflictAlertProps {
  /** What somebody else changed. */
  fields: readonly (keyof HostForm)[];
  theirs: HostForm;
  onTakeTheirs: () => void;
  onKeepMine: () => void;
}

/** Somebody else saved this host meanwhile: what it says now, and whose values go on. */
export function ConflictAlert({ fields, theirs, onTakeTheirs, onKeepMine }: ConflictAlertProps) {
  const { t } = useTranslation('hosts');
  const text = (value: HostForm[keyof HostForm]): string => (Array.isArray(value) ? value.join(', ') : String(value));
  return (
    <Alert color="yellow" title={t('conflict.title')} role="alert">
      <Text size="sm">{t('conflict.text')}</Text>
      <List size="sm" my="xs">
        {fields.map((name) => (
          <List.Item key={name}>
            {t(`field.${name === 'inboundIds' ? 'inbounds' : name}`)}: <bdi>{text(theirs[name]) || '—'}</bdi>
          </List.Item>
        ))}
      </List>
      <Group gap="xs">
        <Button size="xs" variant="default" onClick={onTakeTheirs}>
          {t('conflict.takeTheirs')}
        </Button>
        <Button size="xs" onClick={onKeepMine}>
          {t('conflict.keepMine')}
        </Button>
      </Group>
    </Alert>
  );
}
