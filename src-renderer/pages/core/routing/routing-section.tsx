import { Button, Group, Stack, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../ui/layout/empty-state.tsx';
import { useDialogParam } from '../../../ui/address/use-dialog-param.ts';
import { useDraft } from '../model/draft.ts';
import { itemsAt, RULES } from '../model/lists.ts';
import { RouteTester } from './route-tester.tsx';
import { RuleEditor } from './rule-editor.tsx';
import { RuleList } from './rule-list.tsx';

/** Rules in their order, and a tester that finds the one a connection would match. */
export function RoutingSection() {
  const { t } = useTranslation('core');
  const template = useDraft(({ draft }) => draft);
  const rules = useMemo(() => itemsAt(template, RULES), [template]);
  const [found, setFound] = useState<readonly number[]>([]);
  const editor = useDialogParam('rule');
  return (
    <Stack>
      <RouteTester onFound={setFound} />
      <Group justify="space-between">
        <Text size="sm" c="dimmed" maw={640}>
          {t('routing.hint')}
        </Text>
        <Button onClick={() => editor.open('new')}>{t('routing.add')}</Button>
      </Group>
      {rules.length === 0 ? (
        <EmptyState text={t('routing.none')} />
      ) : (
        <RuleList rules={rules} found={found} onOpen={(index) => editor.open(String(index))} />
      )}
      {editor.value !== null && <RuleEditor key={editor.value} which={editor.value} onClose={editor.close} />}
    </Stack>
  );
}
