import { Group, NumberInput, Switch, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { BackupsChoices, KeepingRule } from '../../../../src-main/bridge/maintenance.ts';
import { TitledCard } from '../../../ui/layout/titled-card.tsx';
import { minuteOf, timeOf } from '../minutes.ts';

const KEPT = [
  { part: 'daily', min: 1, max: 365 },
  { part: 'weekly', min: 0, max: 260 },
  { part: 'monthly', min: 0, max: 240 },
] as const;

interface ScheduleProps {
  choices: BackupsChoices;
  onChange: (choices: BackupsChoices) => void;
}

/** When backups are taken by themselves, and how many of them stay. */
export function ScheduleCard({ choices, onChange }: ScheduleProps) {
  const { t } = useTranslation('backups');
  const setKeep = (part: Partial<KeepingRule>): void => onChange({ ...choices, keep: { ...choices.keep, ...part } });
  return (
    <TitledCard title={t('schedule.title')}>
      <Switch
        label={t('schedule.on')}
        description={t('schedule.onHint')}
        checked={choices.isOn}
        onChange={(event) => onChange({ ...choices, isOn: event.currentTarget.checked })}
      />
      <Group align="end">
        <TextInput
          type="time"
          label={t('schedule.from')}
          value={timeOf(choices.atMin)}
          onChange={(event) => {
            const atMin = minuteOf(event.currentTarget.value);
            if (atMin !== null) onChange({ ...choices, atMin });
          }}
        />
        {KEPT.map(({ part, min, max }) => (
          <NumberInput
            key={part}
            w={130}
            label={t(`keep.${part}`)}
            min={min}
            max={max}
            allowDecimal={false}
            value={choices.keep[part]}
            onChange={(value) => {
              if (typeof value === 'number' && value >= min && value <= max) setKeep({ [part]: value });
            }}
          />
        ))}
      </Group>
    </TitledCard>
  );
}
