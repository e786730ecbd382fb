import { ActionIcon, Button, Card, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Json } from '#wire/json';
import { listAt } from '../../../../forms/draft/json.ts';
import { placed, useDraftState, useEditing, useIssueAt } from './draft-context.tsx';
import type { FieldName } from './fields.tsx';
import { Hint } from '../../../../ui/layout/hint.tsx';

interface RowsAtProps {
  path: string;
  name: FieldName;
  /** Initial value of a new row. */
  fresh: () => Json;
  /** Fields of the row at this path. */
  children: (path: string, at: number) => ReactNode;
  /** Another button beside "add". */
  action?: ReactNode;
}

/** A list of objects: accounts, certificates, peers. */
export function RowsAt({ path, name, fresh, children, action }: RowsAtProps) {
  const { t } = useTranslation('inboundEditor');
  const { edit, current } = useEditing();
  // Only the number of rows: typing in one row does not render the others.
  const count = useDraftState(({ draft }) => listAt(draft, path).length);
  const label = t(`field.${name}`);
  const issue = useIssueAt(path);
  return (
    <Stack gap="xs" component="fieldset" bd={0} p={0} m={0} {...placed(path)}>
      <Text component="legend" size="sm" fw={500} p={0}>
        {label}
      </Text>
      {Array.from({ length: count }, (_, at) => (
        <Card key={at} withBorder padding="sm">
          <Group justify="space-between" mb="xs" wrap="nowrap">
            <Hint>
              {label} {at + 1}
            </Hint>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('pair.remove', { label, at: at + 1 })}
              onClick={() => edit(`${path}.${at}`, undefined)}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </Group>
          <RowIssue path={`${path}.${at}`} />
          <SimpleGrid cols={{ base: 1, sm: 2 }}>{children(`${path}.${at}`, at)}</SimpleGrid>
        </Card>
      ))}
      {issue !== undefined && (
        <Text size="sm" c="var(--mantine-color-error)">
          {issue}
        </Text>
      )}
      <Group gap="xs">
        <Button variant="default" size="xs" onClick={() => edit(path, [...listAt(current(), path), fresh()])}>
          {t('pair.addTo', { label })}
        </Button>
        {action}
      </Group>
    </Stack>
  );
}

function RowIssue({ path }: { path: string }) {
  const issue = useIssueAt(path);
  if (issue === undefined) return null;
  return (
    <Text size="sm" c="var(--mantine-color-error)" mb="xs">
      {issue}
    </Text>
  );
}
