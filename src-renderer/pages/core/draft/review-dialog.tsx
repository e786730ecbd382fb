import { List, Modal, Stack, Text } from '@mantine/core';
import { Suspense, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { jsonText } from '../../../forms/draft/json.ts';
import { changesBetween } from '../model/changes.ts';
import { useDraft, useTestUrl } from '../model/draft.ts';
import { ChangeList } from './change-list.tsx';
import { useDraftPlan } from './use-draft-plan.ts';
import { later } from '../../../ui/notices/later.tsx';

const JsonDiff = later(async () => (await import('../../../ui/json/json-diff.tsx')).JsonDiff);

/** Everything a save would change: what it touches, the reason for a restart, and the texts side by side. */
export function ReviewDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('core');
  const { start, startText, draft } = useDraft();
  const testUrl = useTestUrl();
  const plan = useDraftPlan();
  const changes = useMemo(() => changesBetween(start ?? {}, draft), [start, draft]);
  return (
    <Modal opened onClose={onClose} size="80rem" title={t('review.title')}>
      <Stack>
        {plan.data !== undefined && (
          <Text size="sm">
            {t(`plan.${plan.data.kind}`)} {plan.data.reason !== '' && <bdi>({plan.data.reason})</bdi>}
          </Text>
        )}
        <ChangeList changes={changes}>
          {testUrl.typed !== testUrl.stored && (
            <List.Item>
              {t('basics.testUrl')}: <bdi>{testUrl.typed}</bdi>
            </List.Item>
          )}
        </ChangeList>
        <Suspense fallback={null}>
          <JsonDiff before={start === null ? (startText ?? '') : jsonText(start)} after={jsonText(draft)} />
        </Suspense>
      </Stack>
    </Modal>
  );
}
