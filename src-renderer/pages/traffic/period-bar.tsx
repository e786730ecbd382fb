import { ActionIcon, Button, Group, SegmentedControl, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { DayField } from '../../forms/dates/day-field.tsx';
import { daysOfPeriod, PERIODS, type Time } from './traffic-address.ts';
import classes from './traffic.module.css';

interface PeriodBarProps {
  time: Time;
  onChange: (time: Time) => void;
  /** The period shown, in words; empty before the first response. */
  words: string;
  /** Bounds of the period shown, ms since the epoch; null before the first response. */
  shown: { from: number; to: number; now: number } | null;
}

const DAY_MS = 86_400_000;

/** A moment that identifies the period after the one shown: for a week or a year, one of its last days. */
function following(period: Time['period'], { from, to, now }: { from: number; to: number; now: number }): number {
  // Half a day before its end: one of the seven days may be shorter or longer by an hour.
  if (period === 'week') return Math.min(now, to + 6.5 * DAY_MS);
  // Two days before its end: one of the two years may be longer by a day.
  return period === 'year' ? Math.min(now, to + (to - from) - 2 * DAY_MS) : to;
}

/** Selects the time: a period with steps back and forth, or a custom range. */
export function PeriodBar({ time, onChange, words, shown }: PeriodBarProps) {
  const { t } = useTranslation('traffic');
  const isRange = time.period === 'range';
  const isNow = shown === null || (shown.now >= shown.from && shown.now < shown.to);
  return (
    <Group gap="sm" justify="space-between">
      <SegmentedControl
        aria-label={t('period.label')}
        data={PERIODS.map((value) => ({ value, label: t(`period.${value}`) }))}
        value={time.period}
        onChange={(period) =>
          onChange(
            period === 'range'
              ? {
                  period,
                  ...(shown !== null && daysOfPeriod(shown)),
                }
              : { period },
          )
        }
      />
      {isRange ? (
        <Group gap="xs" align="end">
          <DayField label={t('range.from')} value={time.from ?? ''} onChange={(from) => onChange({ ...time, from })} />
          <DayField label={t('range.to')} value={time.to ?? ''} onChange={(to) => onChange({ ...time, to })} />
        </Group>
      ) : (
        <Group gap={4} wrap="nowrap">
          <ActionIcon
            variant="default"
            size={36}
            aria-label={t('period.earlier')}
            disabled={shown === null}
            onClick={() => onChange({ period: time.period, at: shown!.from - 1 })}
          >
            <IconChevronLeft size={18} className={classes['towards'] ?? ''} />
          </ActionIcon>
          <Text size="sm" fw={500} className={classes['when'] ?? ''} aria-live="polite">
            {words}
          </Text>
          <ActionIcon
            variant="default"
            size={36}
            aria-label={t('period.later')}
            disabled={isNow}
            onClick={() => onChange({ period: time.period, at: following(time.period, shown!) })}
          >
            <IconChevronRight size={18} className={classes['towards'] ?? ''} />
          </ActionIcon>
          {!isNow && (
            <Button variant="subtle" size="compact-sm" onClick={() => onChange({ period: time.period })}>
              {t('period.now')}
            </Button>
          )}
        </Group>
      )}
    </Group>
  );
}
