import { Button, Container, Group, Stack, Title } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

interface PanelsFrameProps {
  title: string;
  /** Fills the whole window. */
  isWide?: boolean;
  children: ReactNode;
}

/** The frame of a page about several panels, with the way back to all of them. */
export function PanelsFrame({ title, isWide = false, children }: PanelsFrameProps) {
  const { t } = useTranslation('words');
  useEffect(() => {
    document.title = `${title} · Switchyard`;
  }, [title]);
  return (
    <Container size="lg" fluid={isWide} py="md" component="main">
      <Stack>
        <Group justify="space-between">
          <Title order={1} size="h2">
            {title}
          </Title>
          <Button variant="subtle" component={Link} to="/desktop/home">
            {t('allPanels')}
          </Button>
        </Group>
        {children}
      </Stack>
    </Container>
  );
}
