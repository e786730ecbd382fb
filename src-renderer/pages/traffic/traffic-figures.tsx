import { useTranslation } from 'react-i18next';
import type { TrafficHistory } from '#contract/traffic';
import { useFormat } from '../../i18n/format.ts';
import type { Time } from './traffic-address.ts';
import classes from './traffic.module.css';

interface Bytes {
  up: number;
  down: number;
}

const sum = ({ up, down }: Bytes): number => up + down;

/** The period, today and this month, each compared with the one before. */
export function TrafficFigures({ history, period }: { history: TrafficHistory; period: Time['period'] }) {
  const { t } = useTranslation('traffic');
  const { total, before, today, month } = history;
  const figures: [name: string, now: Bytes, then: Bytes][] = [
    [t('figure.shown'), total, before],
    [t('figure.today'), today, today.before],
    [t('figure.month'), month, month.before],
  ];
  return (
    <dl className={classes['figures']}>
      {figures.map(([name, now, then], at) => (
        <Figure key={name} name={name} now={now} then={then} words={at === 0 ? period : at === 1 ? 'day' : 'month'} />
      ))}
    </dl>
  );
}

interface FigureProps {
  name: string;
  now: Bytes;
  then: Bytes;
  words: Time['period'];
}

function Figure({ name, now, then, words }: FigureProps) {
  const { t } = useTranslation('traffic');
  const format = useFormat();
  const [bytes, before] = [sum(now), sum(then)];
  const percent = before === 0 ? null : Math.round((bytes / before - 1) * 100);
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {format.bytes(bytes)}
        <small>
          ↑ {format.bytes(now.up)} · ↓ {format.bytes(now.down)}
        </small>
        <small>
          {percent === null
            ? t('compared.nothing')
            : t(percent >= 0 ? 'compared.more' : 'compared.less', {
                percent: format.percent(Math.abs(percent)),
                before: format.bytes(before),
                when: t(`compared.${words}`),
              })}
        </small>
      </dd>
    </div>
  );
}
