import { Alert, Box, Button, Text } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import type { CoreSettings } from '#contract/coreSettings';
import { ConflictNotice } from '../../../ui/notices/conflict-notice.tsx';
import { QueryView } from '../../../ui/query-view.tsx';
import { changesBetween } from '../model/changes.ts';
import { isDirty, readTemplate, useDraft } from '../model/draft-store.ts';
import { ChangeList } from './change-list.tsx';
import { useCoreSettings } from './use-core-settings.ts';

/** Loads the draft before the sections that edit it, and says when the stored template has changed under it. */
export function DraftView({ children }: { children: ReactNode }) {
  const settings = useCoreSettings();
  return <QueryView query={settings}>{(stored) => <Loaded settings={stored}>{children}</Loaded>}</QueryView>;
}

function Loaded({ settings, children }: { settings: CoreSettings; children: ReactNode }) {
  const { xraySetting, outboundTestUrl } = settings;
  const { t } = useTranslation('core');
  const { section } = useParams();
  const storedText = useDraft((draft) => draft.storedText);
  const stored = useDraft((draft) => draft.stored);
  const isUnsaved = useDraft(isDirty);
  const isLoose = useDraft((draft) => draft.looseText !== null);
  const { load, keepOver } = useDraft.getState();
  const isElsewhere = storedText !== xraySetting;
  useEffect(() => {
    if (isElsewhere && !isUnsaved) load(xraySetting, outboundTestUrl);
  }, [isElsewhere, isUnsaved, load, xraySetting, outboundTestUrl]);
  if (storedText === null) return null;
  return (
    <>
      {isElsewhere && isUnsaved && (
        <Box mb="md">
          <ConflictNotice
            title={t('elsewhere.title')}
            text={t('elsewhere.text')}
            onTakeTheirs={() => load(xraySetting, outboundTestUrl)}
            onKeepMine={() => keepOver(xraySetting, outboundTestUrl)}
          >
            <Box my="xs">
              <ChangeList changes={changesBetween(stored ?? {}, readTemplate(xraySetting) ?? {})} />
            </Box>
          </ConflictNotice>
        </Box>
      )}
      {isLoose && section !== 'template' ? (
        <Alert color="red" title={t('loose.title')}>
          <Text size="sm" mb="xs">
            {t('loose.text')}
          </Text>
          <Button size="xs" variant="default" component={Link} to="/panel/core/template">
            {t('loose.open')}
          </Button>
        </Alert>
      ) : (
        children
      )}
    </>
  );
}
