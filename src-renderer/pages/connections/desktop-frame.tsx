import { Container, Title } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';

/** Frame of the pages that exist only in the desktop window: they work without any panel. */
export function DesktopFrame({ title, size, children }: { title: string; size: number; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Switchyard`;
  }, [title]);
  return (
    <Container size={size} py="xl" component="main">
      <Title order={1} size="h2" mb="lg">
        {title}
      </Title>
      {children}
    </Container>
  );
}
