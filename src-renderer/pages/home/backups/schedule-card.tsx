import { Group, Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { BackupsChoices, KeepingRule } from '../../../../src-main/bridge/maintenance.ts';
import { NumberField } from '../../../forms/number-field.tsx';
import { TitledCard } from '../../../ui/layout/titled-card.tsx';
import { TimeField } from '../time-field.tsx';

const KEPT = [
  { part: 'daily', min: 1, max: 365 },
  { part: 'weekly', min: 0, max: 260 },
  { part: 'monthly', min: 0, max: 240 },
] as const;

interface ScheduleProps {
  choices: BackupsChoices;
  /** @param part what changes in the latest choices */
  onChange: (part: (choices: BackupsChoices) => Partial<BackupsChoices>) => void;
}

/** When automatic backups are taken, and how many are kept. */
export function ScheduleCard({ choices, onChange }: ScheduleProps) {
  const { t } = useTranslation('backups');
  // Typing 14 passes through 1: a backup that finished just then would remove the others.
  const setKeep = (part: Partial<KeepingRule>): void => onChange(({ keep }) => ({ keep: { ...keep, ...part } }));
  return (
    <TitledCard title={t('schedule.title')}>
      <Switch
        label={t('schedule.on')}
        description={t('schedule.onHint')}
        checked={choices.isOn}
        onChange={({ currentTarget: { checked } }) => onChange(() => ({ isOn: checked }))}
      />
      <Group align="end">
        <TimeField label={t('schedule.from')} value={choices.atMin} onChange={(atMin) => onChange(() => ({ atMin }))} />
        {KEPT.map(({ part, min, max }) => (
          <NumberField
            key={part}
            w={130}
            label={t(`keep.${part}`)}
            min={min}
            max={max}
            value={choices.keep[part]}
            countsWhenLeft
            onChange={(count) => setKeep({ [part]: count })}
          />
        ))}
      </Group>
    </TitledCard>
  );
}
