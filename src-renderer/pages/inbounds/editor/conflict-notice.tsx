import { Alert, Button, Code, Group, List, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Json } from '#wire/json';
import type { Draft } from '../model/draft.ts';
import { readAt } from '../model/json-path.ts';

/** Enough of a long value to recognise it by. */
const SHOWN_CHARACTERS = 120;

interface ConflictNoticeProps {
  /** Paths that somebody else changed. */
  fields: readonly string[];
  theirs: Draft;
  onTakeTheirs: () => void;
  onKeepMine: () => void;
}

/** Somebody else saved this inbound meanwhile: what it says now, and whose values go on. */
export function ConflictNotice({ fields, theirs, onTakeTheirs, onKeepMine }: ConflictNoticeProps) {
  const { t } = useTranslation('inboundEditor');
  return (
    <Alert color="yellow" title={t('conflict.title')} role="alert">
      <Text size="sm">{t('conflict.text')}</Text>
      <List size="sm" my="xs">
        {fields.map((path) => (
          <List.Item key={path}>
            <Code>{path}</Code> <bdi>{shown(readAt(theirs, path))}</bdi>
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

function shown(value: Json | undefined): string {
  if (value === undefined || value === '') return '—';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}
