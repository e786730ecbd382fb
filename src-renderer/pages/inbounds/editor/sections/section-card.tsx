import { Card, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

export const SECTIONS = ['basics', 'protocol', 'transport', 'security', 'sniffing', 'fallbacks', 'json'] as const;
export type Section = (typeof SECTIONS)[number];

/** One part of the editor, linkable by its name. */
export function SectionCard({ section, children }: { section: Section; children: ReactNode }) {
  const { t } = useTranslation('inboundEditor');
  return (
    <Card component="section" withBorder padding="lg" id={section} aria-labelledby={`${section}-title`}>
      <Stack gap="md">
        <Title order={2} size="h4" id={`${section}-title`}>
          {t(`section.${section}`)}
        </Title>
        {children}
      </Stack>
    </Card>
  );
}
