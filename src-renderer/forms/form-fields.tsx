import { Box } from '@mantine/core';
import type { ReactNode } from 'react';

interface FormFieldsProps {
  isSaving: boolean;
  children: ReactNode;
}

/**
 * The fields of a form that closes when it is saved. They cannot be changed meanwhile: what was typed then would be lost. The
 * button that cancels stays outside.
 */
export function FormFields({ isSaving, children }: FormFieldsProps) {
  return (
    // The form around them is what screen readers tell; the fields are laid out as if they were not grouped.
    <Box component="fieldset" role="presentation" display="contents" disabled={isSaving}>
      {children}
    </Box>
  );
}
