import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { isProtocol } from '#wire/protocol-catalogue';
import { useDraftState, useDraftStore, useTextAt } from '../parts/draft-context.tsx';
import { PROTOCOL_FIELDS } from '../protocols/protocol-fields.ts';
import { SectionCard } from './section-card.tsx';

/** The protocol's own settings, and what the last change of kind dropped. */
export const ProtocolSection = memo(function ProtocolSection() {
  const { t } = useTranslation('inboundEditor');
  const store = useDraftStore();
  const protocol = useTextAt('protocol');
  const lost = useDraftState((state) => state.lost?.paths);
  const Fields = isProtocol(protocol) ? PROTOCOL_FIELDS[protocol] : null;
  return (
    <SectionCard section="protocol">
      {lost !== undefined && (
        <Alert color="yellow" role="status" title={t('lost.title')}>
          <Stack gap="xs">
            <Group gap="xs">
              {lost.map((path) => (
                <Code key={path}>{path}</Code>
              ))}
            </Group>
            <Button size="xs" variant="default" w="fit-content" onClick={() => store.getState().undoLoss()}>
              {t('lost.undo')}
            </Button>
          </Stack>
        </Alert>
      )}
      {Fields === null ? <Text size="sm">{t('protocol.unknown', { protocol })}</Text> : <Fields />}
    </SectionCard>
  );
});
