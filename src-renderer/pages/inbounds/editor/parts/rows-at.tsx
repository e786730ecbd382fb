import { ActionIcon, Button, Card, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Json } from '#wire/json';
import { readAt } from '../../model/json-path.ts';
import { useDraft } from './draft-context.tsx';
import type { FieldName } from './fields.tsx';

interface RowsAtProps {
  path: string;
  name: FieldName;
  /** What a new row starts with. */
  fresh: () => Json;
  /** Fields of the row at this path. */
  children: (path: string, at: number) => ReactNode;
  /** A button more beside "add". */
  action?: ReactNode;
}

/** A list of objects: accounts, certificates, peers. */
export function RowsAt({ path, name, fresh, children, action }: RowsAtProps) {
  const { t } = useTranslation('inboundEditor');
  const { draft, edit, issueAt } = useDraft();
  const stored = readAt(draft, path);
  const rows = Array.isArray(stored) ? stored : [];
  const label = t(`field.${name}`);
  const issue = issueAt(path);
  return (
    <Stack gap="xs" component="fieldset" bd={0} p={0} m={0}>
      <Text component="legend" size="sm" fw={500} p={0}>
        {label}
      </Text>
      {rows.map((_, at) => (
        <Card key={at} withBorder padding="sm">
          <Group justify="space-between" mb="xs" wrap="nowrap">
            <Text size="sm" c="dimmed">
              {label} {at + 1}
            </Text>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('pair.remove', { label, at: at + 1 })}
              onClick={() => edit(`${path}.${at}`, undefined)}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </Group>
          {issueAt(`${path}.${at}`) !== undefined && (
            <Text size="sm" c="var(--mantine-color-error)" mb="xs">
              {issueAt(`${path}.${at}`)}
            </Text>
          )}
          <SimpleGrid cols={{ base: 1, sm: 2 }}>{children(`${path}.${at}`, at)}</SimpleGrid>
        </Card>
      ))}
      {issue !== undefined && (
        <Text size="sm" c="var(--mantine-color-error)">
          {issue}
        </Text>
      )}
      <Group gap="xs">
        <Button variant="default" size="xs" onClick={() => edit(path, [...rows, fresh()])}>
          {t('pair.addTo', { label })}
        </Button>
        {action}
      </Group>
    </Stack>
  );
}
