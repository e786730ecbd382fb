import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { getDefaultJsonConfig } from '#contract/coreSettings';
import { textOf } from '../../forms/draft/draft-store.ts';
import { useCall } from '../../api/transport-context.tsx';
import { announceFailure } from '../../ui/notices/announce.ts';
import { JsonEditor } from '../../ui/json/json-editor.tsx';
import { saveFile } from '../../ui/files/save-file.ts';
import { TEMPLATE_SCHEMA } from './core-schema.ts';
import { useDraft } from './model/draft.ts';

/** The whole template as text: everything that the other sections have no field for. */
export function TemplateSection() {
  const { t } = useTranslation(['core', 'words']);
  const call = useCall();
  const { typeText } = useDraft.getState();
  const line = useSearchParams()[0].get('line');
  const text = useDraft(textOf);
  const restore = useMutation({ mutationFn: () => call(getDefaultJsonConfig, {}) });
  const handleRestore = (): void =>
    restore.mutate(undefined, {
      onSuccess: (template) => typeText(JSON.stringify(template, null, 2)),
      onError: announceFailure,
    });
  return (
    <Stack>
      <Group justify="space-between">
        <Text size="sm" c="dimmed" maw={640}>
          {t('template.hint')}
        </Text>
        <Group gap="xs">
          <Button variant="default" onClick={() => saveFile('core-template.json', text)}>
            {t('words:download')}
          </Button>
          <Button variant="default" loading={restore.isPending} onClick={handleRestore}>
            {t('template.restore')}
          </Button>
        </Group>
      </Group>
      <JsonEditor
        label={t('section.template')}
        value={text}
        onChange={typeText}
        minHeight={480}
        schema={TEMPLATE_SCHEMA}
        line={line === null ? undefined : Number(line)}
      />
    </Stack>
  );
}
