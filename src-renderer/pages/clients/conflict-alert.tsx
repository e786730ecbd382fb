import { Alert, Button, Group, List, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ClientForm } from './client-form.ts';

interface ConflictAlertProps {
  fields: readonly (keyof ClientForm)[];
  theirs: ClientForm;
  onTakeTheirs: () => void;
  onKeepMine: () => void;
}

/** Somebody else saved this client meanwhile: what they changed, and whose values go on. */
export function ConflictAlert({ fields, theirs, onTakeTheirs, onKeepMine }: ConflictAlertProps) {
  const { t } = useTranslation('clients');
  return (
    <Alert color="yellow" title={t('conflict.title')} role="alert">
      <Text size="sm">{t('conflict.text')}</Text>
      <List size="sm" my="xs">
        {fields.map((name) => (
          <List.Item key={name}>
            {t(`conflict.field.${name}`)}: <bdi>{textOf(theirs[name])}</bdi>
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

function textOf(value: ClientForm[keyof ClientForm]): string {
  if (Array.isArray(value)) return value.join(', ');
  return value === null || value === '' ? '—' : String(value);
}
