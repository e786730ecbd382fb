import { List, Modal, Stack, Text } from '@mantine/core';
import { lazy, Suspense, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { changesBetween } from '../model/changes.ts';
import { useDraft } from '../model/draft-store.ts';
import { ChangeList } from './change-list.tsx';
import { useDraftPlan } from './use-draft-plan.ts';

const JsonDiff = lazy(async () => ({ default: (await import('../../../ui/json/json-diff.tsx')).JsonDiff }));

/** Everything that a save would change: what it touches, the reason of a restart, and the texts side by side. */
export function ReviewDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['core', 'shell']);
  const { stored, storedText, template, testUrl, storedUrl } = useDraft();
  const plan = useDraftPlan();
  const changes = useMemo(() => changesBetween(stored ?? {}, template ?? {}), [stored, template]);
  const before = stored === null ? (storedText ?? '') : JSON.stringify(stored, null, 2);
  return (
    <Modal
      opened
      onClose={onClose}
      size="80rem"
      title={t('review.title')}
      closeButtonProps={{ 'aria-label': t('shell:close') }}
    >
      <Stack>
        {plan.data !== undefined && (
          <Text size="sm">
            {t(`plan.${plan.data.kind}`)} {plan.data.reason !== '' && <bdi>({plan.data.reason})</bdi>}
          </Text>
        )}
        <ChangeList changes={changes}>
          {testUrl !== storedUrl && (
            <List.Item>
              {t('basics.testUrl')}: <bdi>{testUrl}</bdi>
            </List.Item>
          )}
        </ChangeList>
        <Suspense fallback={null}>
          <JsonDiff before={before} after={JSON.stringify(template, null, 2)} />
        </Suspense>
      </Stack>
    </Modal>
  );
}
