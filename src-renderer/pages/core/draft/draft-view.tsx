import { Alert, Button, Group, Text } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import type { CoreSettings } from '#contract/coreSettings';
import { QueryView } from '../../../ui/query-view.tsx';
import { isDirty, useDraft } from '../model/draft-store.ts';
import { useCoreSettings } from './use-core-settings.ts';

/** Loads the draft before the sections that edit it, and says when the stored template has changed under it. */
export function DraftView({ children }: { children: ReactNode }) {
  const settings = useCoreSettings();
  return <QueryView query={settings}>{(stored) => <Loaded stored={stored}>{children}</Loaded>}</QueryView>;
}

function Loaded({ stored, children }: { stored: CoreSettings; children: ReactNode }) {
  const { xraySetting, outboundTestUrl } = stored;
  const { t } = useTranslation('core');
  const { section } = useParams();
  const storedText = useDraft((draft) => draft.storedText);
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
        <Alert color="yellow" title={t('elsewhere.title')} mb="md">
          <Text size="sm" mb="xs">
            {t('elsewhere.text')}
          </Text>
          <Group gap="xs">
            <Button size="xs" variant="default" onClick={() => keepOver(xraySetting, outboundTestUrl)}>
              {t('elsewhere.keep')}
            </Button>
            <Button size="xs" variant="default" onClick={() => load(xraySetting, outboundTestUrl)}>
              {t('elsewhere.take')}
            </Button>
          </Group>
        </Alert>
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
