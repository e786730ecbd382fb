import { Anchor } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Page } from '../../ui/layout/page.tsx';
import { TitledCard } from '../../ui/layout/titled-card.tsx';
import { inboundLabel, useInboundOptions } from '../clients/use-inbound-options.ts';
import { useNodeNames } from '../nodes/use-nodes.ts';
import { HoursChart } from './hours-chart.tsx';
import { SubjectPicker } from './subject-picker.tsx';
import { TopClients } from './top-clients.tsx';
import { useTrafficAddress, type Whose } from './traffic-address.ts';
import { TrafficView } from './traffic-view.tsx';
import classes from './traffic.module.css';

/** Traffic by subject and time. */
export function TrafficPage() {
  const { t } = useTranslation(['traffic', 'shell']);
  const { whose, time, change } = useTrafficAddress();
  const title = useTitle(whose);
  const isWhole = whose.subject === 'all';
  const isChosen = isWhole || whose.name !== '';
  return (
    <Page title={t('shell:nav.traffic')}>
      <SubjectPicker whose={whose} onChange={change} />
      <TitledCard title={title} actions={<OpenSubject whose={whose} />}>
        <TrafficView
          whose={whose}
          time={time}
          onTime={({ period, at, from, to }) => change({ period, at, from, to })}
          title={title}
        />
      </TitledCard>
      {isChosen && (
        <div className={classes['columns']}>
          {isWhole && <TopClients time={time} />}
          <HoursChart whose={whose} />
        </div>
      )}
    </Page>
  );
}

/** The subject's name. */
function useTitle({ subject, name }: Whose): string {
  const { t } = useTranslation('traffic');
  const options = useInboundOptions();
  const nodes = useNodeNames();
  if (subject === 'all') return t('whole');
  if (name === '') return t(`subject.${subject}`);
  if (subject === 'inbound') {
    const inbound = options.data?.find(({ id }) => String(id) === name);
    return inbound === undefined ? `#${name}` : inboundLabel(inbound);
  }
  return subject === 'node' ? (nodes.get(Number(name)) ?? `#${name}`) : name;
}

/** A link to the subject. */
function OpenSubject({ whose: { subject, name } }: { whose: Whose }) {
  const { t } = useTranslation('traffic');
  if (subject === 'all' || name === '') return null;
  const to = {
    client: `/panel/clients?client=${encodeURIComponent(name)}`,
    group: `/panel/clients?group=${encodeURIComponent(name)}`,
    inbound: `/panel/inbounds?show=${name}`,
    node: `/panel/nodes?show=${name}`,
  }[subject];
  return (
    <Anchor component={Link} to={to} size="sm">
      {t(`open.${subject}`)}
    </Anchor>
  );
}
