import { Alert, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { JsonEditor } from '../../../../ui/json-editor.tsx';
import { SectionCard } from './section-card.tsx';

interface AdvancedJsonProps {
  text: string;
  isLoose: boolean;
  /** Null when no clients are named; else whether they would replace stored ones. */
  clients: 'replace' | 'add' | null;
  onType: (text: string) => void;
}

/** The whole inbound as text: everything the fields have no place for. */
export function AdvancedJsonSection({ text, isLoose, clients, onType }: AdvancedJsonProps) {
  const { t } = useTranslation('inboundEditor');
  return (
    <SectionCard section="json">
      <Text size="sm" c="dimmed">
        {t('json.hint')}
      </Text>
      {isLoose && <Alert color="yellow">{t('json.loose')}</Alert>}
      {clients !== null && <Alert color="yellow">{t(`json.${clients}`)}</Alert>}
      <JsonEditor label={t('json.label')} value={text} onChange={onType} minHeight={280} />
    </SectionCard>
  );
}
