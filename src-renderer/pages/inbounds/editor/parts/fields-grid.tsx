import { SimpleGrid } from '@mantine/core';
import type { ReactNode } from 'react';

/** Fields in two columns, or one on narrow screens. */
export function FieldsGrid({ children }: { children: ReactNode }) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} verticalSpacing="md" style={{ alignItems: 'start' }}>
      {children}
    </SimpleGrid>
  );
}
