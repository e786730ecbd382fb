import { Alert, Button, Text } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import type { CoreSettings } from '#contract/coreSettings';
import { QueryView } from '../../../ui/query-view/query-view.tsx';
import { followTestUrl, loadDraft, useDraft, useHolds, useIsUnsaved } from '../model/draft.ts';
import { useCoreSettings } from './use-core-settings.ts';

/** Loads the draft before the sections that edit it, and again when the stored template changes beneath no edits. */
export function DraftView({ children }: { children: ReactNode }) {
  const settings = useCoreSettings();
  return <QueryView query={settings}>{(stored) => <Loaded settings={stored}>{children}</Loaded>}</QueryView>;
}

function Loaded({ settings, children }: { settings: CoreSettings; children: ReactNode }) {
  const { t } = useTranslation('core');
  const { section } = useParams();
  const startText = useDraft((draft) => draft.startText);
  const isLoose = useDraft((draft) => draft.looseText !== null);
  const isUnsaved = useIsUnsaved();
  const isHeld = useHolds(({ count }) => count > 0);
  const isElsewhere = startText !== settings.xraySetting;
  useEffect(() => {
    // Read now: a dialog that opened with this page holds the draft since a moment ago.
    if (isElsewhere && !isUnsaved && useHolds.getState().count === 0) loadDraft(settings);
  }, [isElsewhere, isUnsaved, isHeld, settings]);
  const { outboundTestUrl } = settings;
  useEffect(() => followTestUrl(outboundTestUrl), [outboundTestUrl]);
  if (startText === null) return null;
  if (!isLoose || section === 'template') return children;
  return (
    <Alert color="red" title={t('loose.title')}>
      <Text size="sm" mb="xs">
        {t('loose.text')}
      </Text>
      <Button size="xs" variant="default" component={Link} to="/panel/core/template">
        {t('loose.open')}
      </Button>
    </Alert>
  );
}
