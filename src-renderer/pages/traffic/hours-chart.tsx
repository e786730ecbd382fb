import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readHours } from '#contract/traffic';
import { keys } from '../../api/keys.ts';
import { useRead } from '../../api/use-read.ts';
import { useFormat } from '../../i18n/format.ts';
import { createZoneFormat } from '../../i18n/zone-format.ts';
import { TitledCard } from '../../ui/layout/titled-card.tsx';
import { DIRECTIONS } from '../../ui/palette/tones.ts';
import { QueryView } from '../../ui/query-view/query-view.tsx';
import { BarKeys, StackedBars } from '../../ui/stacked-bars/stacked-bars.tsx';
import { Hint } from '../../ui/layout/hint.tsx';
import type { Whose } from './traffic-address.ts';
import classes from './traffic.module.css';

const HEIGHT = 180;
const HOUR_MS = 3_600_000;

/** Traffic by hour of the day, over the last days. */
export function HoursChart({ whose }: { whose: Whose }) {
  const { t, i18n } = useTranslation('traffic');
  const format = useFormat();
  const [at, lookAt] = useState<number | null>(null);
  const hours = useRead(readHours, { query: whose }, [...keys.traffic, 'hours', whose], {
    enabled: whose.subject === 'all' || whose.name !== '',
  });
  const clock = createZoneFormat(i18n.language, 'UTC');
  const hourText = (hour: number): string => clock.hour(hour * HOUR_MS);
  return (
    <TitledCard title={t('hours.title')}>
      <QueryView query={hours}>
        {({ days, up, down }) => {
          const wordsOf = (hour: number): string =>
            t('bar', {
              time: `${hourText(hour)} – ${hourText((hour + 1) % 24)}`,
              up: format.bytes((up[hour] ?? 0) / days),
              down: format.bytes((down[hour] ?? 0) / days),
            });
          const parts = [
            { key: 'down', tone: DIRECTIONS.down, name: t('direction.down'), values: down.map((one) => one / days) },
            { key: 'up', tone: DIRECTIONS.up, name: t('direction.up'), values: up.map((one) => one / days) },
          ];
          return (
            <>
              <div className={classes['reading']}>
                <p>{at === null ? t('hours.note', { count: days }) : wordsOf(at)}</p>
                <div className={classes['keys']}>
                  <BarKeys
                    parts={parts.map((part) => ({
                      ...part,
                      value: format.bytes(
                        at === null ? part.values.reduce((sum, one) => sum + one, 0) : part.values[at]!,
                      ),
                    }))}
                  />
                </div>
              </div>
              <StackedBars
                label={t('hours.chart')}
                parts={parts}
                labels={up.map((_, hour) => hourText(hour))}
                labelPx={68}
                height={HEIGHT}
                valueText={format.bytes}
                wordsOf={wordsOf}
                onLook={lookAt}
              />
              {up.every((one) => one === 0) && down.every((one) => one === 0) && <Hint>{t('hours.none')}</Hint>}
            </>
          );
        }}
      </QueryView>
    </TitledCard>
  );
}
