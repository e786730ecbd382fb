import { Box } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { readObject } from '../../../forms/draft/json.ts';
import { ConflictNotice } from '../../../ui/notices/conflict-notice.tsx';
import { changesBetween } from '../model/changes.ts';
import { keepDraftOver, loadDraft, useDraft } from '../model/draft.ts';
import { ChangeList } from './change-list.tsx';
import { useCoreSettings } from './use-core-settings.ts';

/** The stored template has changed beneath the draft: what differs, and whose version counts. */
export function DraftConflict() {
  const { t } = useTranslation('core');
  const { data: settings } = useCoreSettings();
  const start = useDraft((draft) => draft.start);
  const startText = useDraft((draft) => draft.startText);
  if (settings === undefined || startText === null || settings.xraySetting === startText) return null;
  return (
    <ConflictNotice
      title={t('elsewhere.title')}
      text={t('elsewhere.text')}
      onTakeTheirs={() => loadDraft(settings)}
      onKeepMine={() => keepDraftOver(settings)}
    >
      <Box my="xs">
        <ChangeList changes={changesBetween(start ?? {}, readObject(settings.xraySetting) ?? {})} />
      </Box>
    </ConflictNotice>
  );
}
