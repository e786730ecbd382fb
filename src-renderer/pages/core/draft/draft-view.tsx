import { Alert, Button, Text } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams, useSearchParams } from 'react-router';
import type { CoreSettings } from '#contract/coreSettings';
import { QueryView } from '../../../ui/query-view/query-view.tsx';
import { followTestUrl, loadDraft, useDraft, useIsDraftHeld, useIsUnsaved } from '../model/draft.ts';
import { useCoreSettings } from './use-core-settings.ts';

/** Dialogs that edit an entry by its place, as the address names them. */
const EDITORS = ['rule', 'outbound', 'balancer', 'server'];

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
  const [search] = useSearchParams();
  // Beneath an open entry its place must not change.
  const isHeld = useIsDraftHeld();
  const isEntryOpen = startText !== null && (isHeld || EDITORS.some((name) => search.has(name)));
  const isElsewhere = startText !== settings.xraySetting;
  useEffect(() => {
    if (isElsewhere && !isUnsaved && !isEntryOpen) loadDraft(settings);
  }, [isElsewhere, isUnsaved, isEntryOpen, settings]);
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
