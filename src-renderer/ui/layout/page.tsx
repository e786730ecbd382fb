import { Group, Title } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';
import classes from './page.module.css';

/** Frame of a page: its heading and actions, its content below. */
export function Page({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Switchyard`;
  }, [title]);
  return (
    <section className={classes['page']} aria-labelledby="page-title">
      <Group justify="space-between" className={classes['head'] ?? ''}>
        <Title order={1} size="h2" id="page-title" tabIndex={-1}>
          {title}
        </Title>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </section>
  );
}
