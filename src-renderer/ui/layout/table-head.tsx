import { Table, VisuallyHidden } from '@mantine/core';

interface TableHeadProps {
  columns: readonly string[];
  /** Heading of the last column, the actions of the rows: for screen readers only. */
  actions?: string;
}

/** The headings of a table. */
export function TableHead({ columns, actions }: TableHeadProps) {
  return (
    <Table.Thead>
      <Table.Tr>
        {columns.map((column) => (
          <Table.Th key={column} scope="col">
            {column}
          </Table.Th>
        ))}
        {actions !== undefined && (
          <Table.Th scope="col">
            <VisuallyHidden>{actions}</VisuallyHidden>
          </Table.Th>
        )}
      </Table.Tr>
    </Table.Thead>
  );
}
