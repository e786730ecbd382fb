import { Anchor } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { TitledCard } from '../../ui/layout/titled-card.tsx';
import type { Time, Whose } from './traffic-address.ts';
import { TrafficView } from './traffic-view.tsx';

/** The charts of one subject, as part of another page. */
export function SubjectTraffic({ subject, name, title }: Whose & { title: string }) {
  const { t } = useTranslation(['traffic', 'shell']);
  const [time, setTime] = useState<Time>({ period: 'day' });
  const to =
    subject === 'all' ? '/panel/traffic' : `/panel/traffic?subject=${subject}&name=${encodeURIComponent(name)}`;
  return (
    <TitledCard
      title={t('shell:nav.traffic')}
      actions={
        <Anchor component={Link} to={to} size="sm">
          {t('open.more')}
        </Anchor>
      }
    >
      <TrafficView whose={{ subject, name }} time={time} onTime={setTime} title={title} />
    </TitledCard>
  );
}
