import { Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { TableHead } from '../../ui/layout/table-head.tsx';
import type { SchemaRow } from './schema-view.ts';
import classes from './api-reference.module.css';

/** Members of a schema: type, whether required, description. */
export function SchemaTable({ rows, label }: { rows: readonly SchemaRow[]; label: string }) {
  const { t } = useTranslation(['apiReference', 'words']);
  return (
    <Table.ScrollContainer minWidth={420}>
      <Table dir="ltr" aria-label={label}>
        <TableHead columns={[t('words:name'), t('column.type'), t('column.note')]} />
        <Table.Tbody>
          {rows.map(({ name, type, isRequired, note }) => (
            <Table.Tr key={name}>
              {/* A value without members has no name. */}
              {name === '' ? (
                <Table.Td />
              ) : (
                <Table.Th scope="row" className={classes['cell'] ?? ''}>
                  {name}
                  {isRequired && (
                    <Text span size="xs" c="dimmed" display="block">
                      {t('required')}
                    </Text>
                  )}
                </Table.Th>
              )}
              <Table.Td className={classes['cell'] ?? ''}>{type}</Table.Td>
              <Table.Td>{note}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
