import { Button, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorDetails } from './error-details.ts';

/** Copies the details of a failure. Without a secure origin there is no clipboard: then the text is shown, selected. */
export function CopyDetails({ error, atMs }: { error: Error; atMs: number }) {
  const { t } = useTranslation('shell');
  const [state, setState] = useState<'idle' | 'copied' | 'shown'>('idle');
  const details = errorDetails(error, atMs);
  const handleCopy = async (): Promise<void> => {
    // Missing on plain http:// pages, whatever the types say.
    const clipboard = navigator.clipboard as Clipboard | undefined;
    try {
      if (clipboard === undefined) throw new Error('no clipboard');
      await clipboard.writeText(details);
      setState('copied');
    } catch {
      setState('shown');
    }
  };
  if (state === 'shown')
    return (
      <Textarea
        aria-label={t('failed.details')}
        value={details}
        readOnly
        rows={6}
        autoFocus
        dir="ltr"
        onFocus={(event) => event.currentTarget.select()}
      />
    );
  return (
    <Button size="xs" variant="default" onClick={() => void handleCopy()}>
      {state === 'copied' ? t('copied') : t('failed.copy')}
    </Button>
  );
}
