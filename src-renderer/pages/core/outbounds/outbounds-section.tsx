import { Button, Group, Progress, Select, Stack, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { resetOutboundsTraffic, ALL_TAGS } from '#contract/coreSettings';
import { keys } from '../../../api/keys.ts';
import { useChange } from '../../../api/use-change.ts';
import { announceFailure } from '../../../ui/notices/announce.ts';
import { EmptyState } from '../../../ui/layout/empty-state.tsx';
import { useDialogParam } from '../../../ui/address/use-dialog-param.ts';
import { useSubscribedOutbounds } from '../draft/use-core-settings.ts';
import { useDraft } from '../model/draft.ts';
import { itemsAt, OUTBOUNDS } from '../model/lists.ts';
import { ImportDialog } from './import-dialog.tsx';
import { isTestable } from './outbound-kinds.ts';
import { OutboundEditor } from './outbound-editor.tsx';
import { OutboundTable } from './outbound-table.tsx';
import { ResultsStatus } from './test-result.tsx';
import { TEST_MODES, useOutboundTests, type TestMode } from './use-outbound-tests.ts';

/** Outbounds: the template's, which are edited here, and those of subscriptions, which are only shown. */
export function OutboundsSection() {
  const { t } = useTranslation('core');
  const template = useDraft(({ draft }) => draft);
  const own = useMemo(() => itemsAt(template, OUTBOUNDS), [template]);
  const subscribed = useSubscribedOutbounds();
  const all = useMemo(() => [...own, ...subscribed], [own, subscribed]);
  const tests = useOutboundTests(all);
  const [mode, setMode] = useState<TestMode>('http');
  const reset = useChange(resetOutboundsTraffic, [keys.outbounds]);
  const editor = useDialogParam('outbound');
  const importer = useDialogParam('import');
  const { progress } = tests;
  return (
    <Stack>
      <Group justify="space-between" align="flex-end">
        <Group gap="xs" align="flex-end">
          <Select
            label={t('test.mode')}
            data={TEST_MODES.map((value) => ({ value, label: t(`mode.${value}`) }))}
            value={mode}
            onChange={(value) => value !== null && setMode(value)}
            allowDeselect={false}
            w={190}
          />
          {progress === null ? (
            <Button variant="default" onClick={() => void tests.run(all.filter(isTestable), mode)}>
              {t('test.all')}
            </Button>
          ) : (
            <Button variant="default" onClick={tests.cancel}>
              {t('test.stop')}
            </Button>
          )}
        </Group>
        <Group gap="xs">
          <Button
            variant="default"
            loading={reset.isPending}
            onClick={() => reset.mutate({ body: { tag: ALL_TAGS } }, { onError: announceFailure })}
          >
            {t('outbounds.resetAll')}
          </Button>
          <Button variant="default" onClick={() => importer.open('links')}>
            {t('outbounds.import')}
          </Button>
          <Button onClick={() => editor.open('new')}>{t('outbounds.add')}</Button>
        </Group>
      </Group>
      <ResultsStatus latest={tests.latest} />
      {progress !== null && (
        <Stack gap={4}>
          <Text size="xs">{t('test.progress', progress)}</Text>
          <Progress value={(progress.done / progress.total) * 100} aria-label={t('test.progress', progress)} animated />
        </Stack>
      )}
      {all.length === 0 ? (
        <EmptyState text={t('outbounds.none')} />
      ) : (
        <OutboundTable own={own} subscribed={subscribed} tests={tests} mode={mode} onOpen={editor.open} />
      )}
      {editor.value !== null && <OutboundEditor key={editor.value} which={editor.value} onClose={editor.close} />}
      {importer.value !== null && <ImportDialog onClose={importer.close} />}
    </Stack>
  );
}
