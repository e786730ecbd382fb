import { Box, Skeleton, Textarea } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { jsonComplaint } from './json-editor-complaint.ts';
import type { JsonEditorProps } from './json-editor-props.ts';
import { later } from '../notices/later.tsx';

const Code = later(async () => (await import('./json-editor-code.tsx')).JsonEditorCode);

/** Below this screen width an editor with gutters leaves no room for text, and phones select badly in it. */
const SMALL = '(max-width: 30em)';

/** JSON as text, with its syntax error at the line, search (Ctrl+F) and formatting; a plain field on small phones. */
export function JsonEditor(props: JsonEditorProps) {
  const { value, onChange, label, readOnly = false, minHeight = 240 } = props;
  const { t } = useTranslation('jsonEditor');
  const isSmall = useMediaQuery(SMALL) ?? false;
  if (!isSmall)
    return (
      <Suspense fallback={<Skeleton height={minHeight} />}>
        <Code {...props} readOnly={readOnly} minHeight={minHeight} />
      </Suspense>
    );
  const complaint = jsonComplaint(value);
  return (
    <Box>
      <Textarea
        label={label}
        value={value}
        readOnly={readOnly}
        onChange={(event) => onChange?.(event.currentTarget.value)}
        autosize
        minRows={8}
        maxRows={24}
        dir="ltr"
        spellCheck={false}
        autoCapitalize="off"
        autoCorrect="off"
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        error={complaint === null ? undefined : t('errorAt', { line: complaint.line, message: complaint.message })}
      />
    </Box>
  );
}
