import { Button, Group, SegmentedControl, Stack } from '@mantine/core';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePanelUrl } from '../../api/panel-url.ts';
import type { ApiCall, Schemas } from './api-document.ts';
import classes from './api-reference.module.css';
import { curlSample, typescriptSample } from './code-samples.ts';
import { copyText } from '../../ui/copy/copy-text.ts';
import { Hint } from '../../ui/layout/hint.tsx';

const WRITERS = { curl: curlSample, typescript: typescriptSample } as const;
type Language = keyof typeof WRITERS;

/** Placeholder while the panel's address is not known. */
const ELSEWHERE = 'https://panel.example.com';

/** Code that sends the call to this panel. */
export function CallSamples({ call, schemas, example }: { call: ApiCall; schemas: Schemas; example: string }) {
  const { t } = useTranslation(['apiReference', 'shell']);
  const origin = usePanelUrl()?.href.replace(/\/+$/, '') ?? ELSEWHERE;
  const [language, setLanguage] = useState<Language>('curl');
  const [copied, setCopied] = useState('');
  const text = WRITERS[language](call, { origin, body: example, schemas });
  const sample = useRef<HTMLPreElement>(null);
  const handleCopy = async (): Promise<void> => {
    if (await copyText(text)) setCopied(text);
    // For the keyboard.
    else getSelection()?.selectAllChildren(sample.current!);
  };
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <SegmentedControl
          size="xs"
          aria-label={t('sample.language')}
          data={[
            { value: 'curl', label: 'curl' },
            { value: 'typescript', label: 'TypeScript' },
          ]}
          value={language}
          onChange={(value) => setLanguage(value)}
        />
        <Button size="compact-sm" variant="default" onClick={() => void handleCopy()}>
          {copied === text ? t('shell:copied') : t('shell:copy')}
        </Button>
      </Group>
      <pre ref={sample} className={classes['code']} dir="ltr" tabIndex={0}>
        {text}
      </pre>
      <Hint size="xs">{t('sample.token')}</Hint>
    </Stack>
  );
}
