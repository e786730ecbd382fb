import { Alert, List } from '@mantine/core';
import type { ReactNode, Ref } from 'react';

interface RefusalsProps {
  title?: string;
  /** Each reason, prefixed with its field where there is one. */
  rows: readonly { key: string; field?: ReactNode; message: string }[];
  ref?: Ref<HTMLDivElement>;
}

/** The list of refusals. */
export function Refusals({ title, rows, ref }: RefusalsProps) {
  return (
    <Alert ref={ref ?? null} color="red" role="alert" title={title}>
      <List size="sm" listStyleType={rows.length === 1 ? 'none' : 'disc'}>
        {rows.map(({ key, field, message }) => (
          <List.Item key={key}>
            {field !== undefined && <>{field}: </>}
            <bdi>{message}</bdi>
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
