import { Group, NumberInput, Switch } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BackupsChoices, KeepingRule } from '../../../../src-main/bridge/maintenance.ts';
import { TitledCard } from '../../../ui/layout/titled-card.tsx';
import { useOutsideChange } from '../../../ui/use-outside-change.ts';
import { TimeField } from '../time-field.tsx';

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
        <TimeField
          label={t('schedule.from')}
          value={choices.atMin}
          onChange={(atMin) => onChange({ ...choices, atMin })}
        />
        {KEPT.map(({ part, min, max }) => (
          <CountField
            key={part}
            label={t(`keep.${part}`)}
            min={min}
            max={max}
            value={choices.keep[part]}
            onChange={(count) => setKeep({ [part]: count })}
          />
        ))}
      </Group>
    </TitledCard>
  );
}

interface CountFieldProps {
  label: string;
  min: number;
  max: number;
  value: number;
  onChange: (count: number) => void;
}

/** Counts when it is left: 1 on the way to 14 would have a backup that comes in just now remove the others. */
function CountField({ value, onChange, ...rest }: CountFieldProps) {
  const [typed, setTyped] = useState<number | string>(value);
  useOutsideChange(value, setTyped);
  function handleEnd(): void {
    const isCount = typeof typed === 'number' && typed >= rest.min && typed <= rest.max;
    if (!isCount) setTyped(value);
    else if (typed !== value) onChange(typed);
  }
  return (
    <NumberInput
      {...rest}
      w={130}
      allowDecimal={false}
      value={typed}
      onChange={setTyped}
      onBlur={handleEnd}
      onKeyDown={({ key }) => key === 'Enter' && handleEnd()}
    />
  );
}
