import { Alert, List } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Reference } from '../model/references.ts';

interface RenameNoteProps {
  from: string;
  to: string;
  /** All current references. */
  references: readonly Reference[];
}

/** Shown while a name is changed: the references that will follow. */
export function RenameNote({ from, to, references }: RenameNoteProps) {
  const { t } = useTranslation('core');
  const isRenamed = from !== '' && to !== '' && from !== to;
  if (!isRenamed || references.length === 0) return null;
  return (
    <Alert color="blue" variant="outline" role="status" title={t('rename.title', { count: references.length })}>
      <List size="sm">
        {references.map(({ kind, name }) => (
          <List.Item key={`${kind} ${name}`}>
            {t(`reference.${kind}`)} <bdi>{name}</bdi>
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
