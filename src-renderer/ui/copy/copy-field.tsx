import { ActionIcon, TextInput, Tooltip, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { copyText } from './copy-text.ts';

/** A value to copy. Without a secure origin there is no clipboard: then the text is selected for the keyboard. */
export function CopyField({ label, value }: { label: string; value: string }) {
  const { t } = useTranslation('shell');
  const input = useRef<HTMLInputElement>(null);
  // Another value may take its place.
  const [copied, setCopied] = useState<string | null>(null);
  const isCopied = copied === value;
  const handleCopy = async (): Promise<void> => {
    input.current?.select();
    setCopied((await copyText(value)) ? value : null);
  };
  return (
    <TextInput
      ref={input}
      label={label}
      value={value}
      readOnly
      dir="ltr"
      onFocus={(event) => event.currentTarget.select()}
      rightSection={
        <>
          <Tooltip label={isCopied ? t('copied') : t('copy')}>
            <ActionIcon variant="subtle" onClick={() => void handleCopy()} aria-label={t('copyNamed', { label })}>
              {isCopied ? <IconCheck size={16} /> : <IconCopy size={16} />}
            </ActionIcon>
          </Tooltip>
          <VisuallyHidden role="status">{isCopied && t('copied')}</VisuallyHidden>
        </>
      }
    />
  );
}
