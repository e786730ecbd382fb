import { Alert, Radio, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { sessionState, type SessionChoice } from '#contract/traffic';
import { keys } from '../../../api/keys.ts';
import { useRead } from '../../../api/use-read.ts';

const CHOICES = ['cut', 'leave', 'readd', 'restart'] as const satisfies readonly SessionChoice[];

interface SessionChoiceFieldProps {
  value: SessionChoice;
  onChange: (value: SessionChoice) => void;
}

/** The core checks users when a connection opens and never again: what happens to those that are open. */
export function SessionChoiceField({ value, onChange }: SessionChoiceFieldProps) {
  const { t } = useTranslation('clientActions');
  const state = useRead(sessionState, {}, [...keys.clients, 'sessions']);
  return (
    <Radio.Group label={t('sessions.label')} description={t('sessions.hint')} value={value} onChange={onChange}>
      <Stack gap="xs" my="xs">
        {CHOICES.map((choice) => (
          <Radio
            key={choice}
            value={choice}
            label={t(`sessions.${choice}`)}
            description={t(`sessionsHint.${choice}`)}
          />
        ))}
        {value === 'cut' && state.data?.canCut === false && (
          <Alert color="yellow">{t('sessions.cannotCut', { reason: state.data.reason })}</Alert>
        )}
      </Stack>
    </Radio.Group>
  );
}
