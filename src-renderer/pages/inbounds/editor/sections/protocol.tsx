import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { isProtocol } from '../../model/catalog.ts';
import { textAt } from '../../model/json-path.ts';
import { useDraft } from '../parts/draft-context.tsx';
import { PROTOCOL_FIELDS } from '../protocols/protocol-fields.ts';
import { SectionCard } from './section-card.tsx';

interface ProtocolProps {
  lost: readonly string[];
  onUndo: () => void;
}

/** The protocol's own settings, and what the last change of kind could not keep. */
export function ProtocolSection({ lost, onUndo }: ProtocolProps) {
  const { t } = useTranslation('inboundEditor');
  const { draft } = useDraft();
  const protocol = textAt(draft, 'protocol');
  const Fields = isProtocol(protocol) ? PROTOCOL_FIELDS[protocol] : null;
  return (
    <SectionCard section="protocol">
      {lost.length > 0 && (
        <Alert color="yellow" role="status" title={t('lost.title')}>
          <Stack gap="xs">
            <Group gap="xs">
              {lost.map((path) => (
                <Code key={path}>{path}</Code>
              ))}
            </Group>
            <Button size="xs" variant="default" w="fit-content" onClick={onUndo}>
              {t('lost.undo')}
            </Button>
          </Stack>
        </Alert>
      )}
      {Fields === null ? <Text size="sm">{t('protocol.unknown', { protocol })}</Text> : <Fields />}
    </SectionCard>
  );
}
