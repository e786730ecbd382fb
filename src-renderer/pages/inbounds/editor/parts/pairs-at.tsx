import { ActionIcon, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { JsonObject } from '#wire/json';
import { useEditing, useValueAt } from './draft-context.tsx';
import type { FieldName } from './fields.tsx';

type Row = readonly [key: string, value: string];

/** Name-value pairs, such as headers. A row without a name is not stored yet. */
export function PairsAt({ path, name, isList = false }: { path: string; name: FieldName; isList?: boolean }) {
  const { t } = useTranslation(['inboundEditor', 'words']);
  const { edit } = useEditing();
  const value = useValueAt(path);
  const stored = value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {};
  const [typed, setTyped] = useState<{ rows: readonly Row[]; wrote: string } | null>(null);
  // Rows without a name exist only here; an edit elsewhere discards them.
  const rows = typed !== null && typed.wrote === JSON.stringify(stored) ? typed.rows : rowsOf(stored);
  const change = (next: readonly Row[]): void => {
    const written = objectOf(next, isList);
    setTyped({ rows: next, wrote: JSON.stringify(written) });
    edit(path, written);
  };
  const label = t(`field.${name}`);
  return (
    <Stack gap={6} component="fieldset" bd={0} p={0} m={0}>
      <Text component="legend" size="sm" fw={500} p={0}>
        {label}
      </Text>
      {rows.map(([key, value], at) => (
        <Group key={at} gap="xs" wrap="nowrap">
          <TextInput
            dir="ltr"
            flex={1}
            aria-label={t('pair.name', { label, at: at + 1 })}
            placeholder={t('words:name')}
            value={key}
            onChange={(event) => change(rows.with(at, [event.currentTarget.value, value]))}
          />
          <TextInput
            dir="ltr"
            flex={2}
            aria-label={t('pair.value', { label, at: at + 1 })}
            value={value}
            onChange={(event) => change(rows.with(at, [key, event.currentTarget.value]))}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size={36}
            aria-label={t('pair.remove', { label, at: at + 1 })}
            onClick={() => change(rows.filter((_, position) => position !== at))}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </Group>
      ))}
      <Button variant="default" size="xs" w="fit-content" onClick={() => change([...rows, ['', '']])}>
        {t('pair.add')}
      </Button>
    </Stack>
  );
}

function rowsOf(object: JsonObject): Row[] {
  return Object.entries(object).flatMap(([key, value]): Row[] =>
    (Array.isArray(value) ? value : [value]).map((one) => [key, typeof one === 'string' ? one : JSON.stringify(one)]),
  );
}

function objectOf(rows: readonly Row[], isList: boolean): JsonObject {
  const named = rows.filter(([key]) => key.trim() !== '');
  if (!isList) return Object.fromEntries(named);
  return Object.fromEntries(
    [...Map.groupBy(named, ([key]) => key)].map(([key, same]) => [key, same.map(([, value]) => value)]),
  );
}
